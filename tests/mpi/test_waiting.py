"""A rank that waits long leaves its core to others, whatever carries the message."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from runner import SAVE_TIME, Runner

from tasuki.machine import usable_cores

CHOICES = ("spread:window=0", "bruck:radix=2", "pairwise-light-barrier")


def by(carrier: str) -> list[str]:
    return [
        f"{choice}{',' if ':' in choice else ':'}carrier=memory" if carrier == "memory" else choice
        for choice in CHOICES
    ]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("placement", ["0,0,0", "0,0,1", "0,1,2"])
@pytest.mark.parametrize("carrier", ["host", "memory"])
def test_who_waits_leaves_its_core(runner: Runner, placement: str, carrier: str) -> None:
    program = runner.program("late")
    runner.tasuki(3, [program, *by(carrier)], {"TASUKI_PLACEMENT": placement}).expect_ok()


@pytest.mark.timeout(60)
def test_who_waits_for_one_alone_leaves_its_core(runner: Runner) -> None:
    """Two ranks: the host's persistent requests, where they are quicker."""
    program = runner.program("late")
    runner.tasuki(2, [program, *by("host")], {"TASUKI_PLACEMENT": "0,1"}).expect_ok()


@pytest.mark.timeout(60)
def test_what_is_left_to_the_host_agrees_on_nothing(runner: Runner) -> None:
    """Where ranks share cores and have no memory transport. To agree on sizes now and then brought
    those out of step that run ahead: gatherv took 1.5 times as long."""
    if runner.host.name.startswith("intel"):
        pytest.skip("its own gatherv lets nobody run ahead so far")
    program = runner.program("runs_ahead")
    crowd = usable_cores() + 1
    runner.native(crowd, [program]).expect_ok()
    runner.tasuki(crowd, [program], {"TASUKI_MEMORY": "off"}).expect_ok()


def may_change_slices() -> bool:
    """Whether a process may make the call at all, here to leave everything as it is."""
    program = """if 1:
        import ctypes, os
        call, there = ctypes.CDLL(None).syscall, ctypes.create_string_buffer(56)
        get, put = {"x86_64": (315, 314), "aarch64": (275, 274)}[os.uname().machine]
        os._exit(call(get, 0, there, 56, 0) != 0 or call(put, 0, there, 0) != 0)
    """
    return subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.timeout(60)
def test_time_slices_are_short_unless_they_are_not_to_be(runner: Runner) -> None:
    program = runner.program("time_slice")

    def told(setting: str | None, *words: str) -> tuple[int, int, str]:
        settings = {"TASUKI_TIME_SLICE": setting} if setting else {}
        result = runner.tasuki(1, [program, *words], settings)
        result.expect_ok()
        slices = re.search(r"slice (\d+) (\d+) (policy \d+ nice -?\d+)", result.output)
        assert slices is not None, result.explain()
        return int(slices[1]), int(slices[2]), slices[3]

    usual, of_threads, scheduling = told("off")
    assert of_threads == usual
    if usual <= 250_000 or not scheduling.startswith("policy 0 "):
        pytest.skip("Linux has no such slices before 6.12, and others may have changed them")
    short = told(None)
    if short[0] == usual and not may_change_slices():
        pytest.skip("the call is denied here")
    assert short == (100_000, 100_000, scheduling)
    assert told("250") == (250_000, 250_000, scheduling)
    # Shorter ones stay, and so does another policy.
    assert told("100000") == (usual, usual, scheduling)
    assert told(None, "idle") == told("off", "idle")


@pytest.mark.timeout(60)
def test_the_program_is_right_without_tasuki(runner: Runner) -> None:
    runner.native(3, [runner.program("late"), "native"]).expect_ok()


@pytest.mark.timeout(60)
def test_mpich_yields_with_more_ranks_than_cores(runner: Runner) -> None:
    if runner.host.name != "mpich":
        pytest.skip("a setting of MPICH 5")
    program = runner.program("yields")
    not_set = ["env", *(f"--unset={name}" for name in SAVE_TIME)]
    under_tasuki = [str(runner.tasuki_command), "run", program]

    def told(ranks: int, command: Sequence[str | Path]) -> str:
        result = runner.native(ranks, command)
        result.expect_ok()
        return result.output

    crowd = usable_cores() + 1
    own = "throttle 0 looks 4096"
    assert own in told(crowd, [*not_set, program])
    assert own in told(1, [*not_set, *under_tasuki])
    assert "throttle 1 looks 10" in told(crowd, [*not_set, *under_tasuki])
    # What the user says holds, by whichever of its names.
    for name in ("MPIR_CVAR_CH4_PROGRESS_THROTTLE", "MPICH_CH4_PROGRESS_THROTTLE"):
        assert own in told(crowd, [*not_set, f"{name}=0", *under_tasuki])
