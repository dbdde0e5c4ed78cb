"""How programs begin and end under Tasuki: as natively, and nothing is left behind."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from runner import Result, Runner

pytestmark = pytest.mark.alone

FORCED = {"TASUKI_ALLTOALL": "bruck"}
CARRIERS = ["host", "memory"]


def processes_of(program: Path) -> list[int]:
    """The processes that run a program, or are about to."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if str(program).encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                pass  # it has just ended
    return found


def leftovers(program: Path, folder: Path) -> set[str]:
    """Processes, shared memory and temporary files of Tasuki's runs. A host's own files in its own
    temporary folder are not our business."""
    deadline = time.monotonic() + 10
    while processes_of(program) and time.monotonic() < deadline:
        time.sleep(0.1)
    found = {f"process {number}" for number in processes_of(program)}
    for place in ("/dev/shm", "/tmp", str(folder)):
        found |= {f"{place}/{name}" for name in os.listdir(place) if "tasuki" in name}
    return found


@pytest.fixture
def own_copy(runner: Runner, tmp_path: Path) -> Path:
    """The program under a name of its own, so that its processes can be told apart."""
    copy = tmp_path / "life_and_death"
    copy.write_bytes(runner.program("life").read_bytes())
    copy.chmod(0o755)
    return copy


@pytest.fixture
def temporary(tmp_path: Path) -> dict[str, str]:
    folder = tmp_path / "t"
    folder.mkdir()
    return {"TMPDIR": str(folder)}


def forced(carrier: str) -> dict[str, str]:
    return {"TASUKI_ALLTOALL": f"bruck:carrier={carrier}"}


def compare(
    runner: Runner,
    program: Path,
    settings: dict[str, str],
    *arguments: str,
    wish: dict[str, str] = FORCED,
) -> tuple[Result, Result]:
    """One run without and one with Tasuki."""
    before = leftovers(program, Path(settings["TMPDIR"]))
    native = runner.native(3, [program, *arguments], settings)
    with_tasuki = runner.tasuki(3, [program, *arguments], {**settings, **wish})
    left = leftovers(program, Path(settings["TMPDIR"])) - before
    assert not left, f"left behind: {left}\n{with_tasuki.explain()}"
    return native, with_tasuki


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "arguments",
    ["no-init", "no-init 3", "no-alltoall", "exit 0", "exit 5", "atexit 6", "once", "abort 9"],
)
def test_ends_as_natively(
    runner: Runner, own_copy: Path, temporary: dict[str, str], arguments: str
) -> None:
    native, with_tasuki = compare(runner, own_copy, temporary, *arguments.split())
    assert native.code is not None, native.explain()
    assert with_tasuki.code == native.code, with_tasuki.explain()
    assert with_tasuki.says_ok() or native.code != 0, with_tasuki.explain()
    assert not with_tasuki.lines_of_tasuki(), with_tasuki.explain()


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("arguments", "carrier"),
    [(way, "host") for way in ("signal 9", "signal 15", "signal 11", "exit-early 4")]
    + [(way, "memory") for way in ("signal 9", "abort 9", "exit-early 4")],
)
def test_sudden_ends(
    runner: Runner, own_copy: Path, temporary: dict[str, str], arguments: str, carrier: str
) -> None:
    """Which code a launcher makes of these is its own affair, and not always the same."""
    native, with_tasuki = compare(
        runner, own_copy, temporary, *arguments.split(), wish=forced(carrier)
    )
    assert native.code not in (0, None), native.explain()
    assert with_tasuki.code not in (0, None), with_tasuki.explain()


def kill_one(
    runner: Runner, program: Path, settings: dict[str, str], victim: int, delay: float
) -> None:
    """Kills one of three ranks so many seconds after all have begun to exchange; the others end
    within 10 s, and something is said."""
    argv = [str(runner.tasuki_command), "run", str(program), "wait"]
    process = subprocess.Popen(
        runner.host.launch_command(3, argv),
        env=runner.environment(settings),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    ranks: list[int] = []
    while len(ranks) < 3 and (line := process.stdout.readline()):
        ranks += [int(number) for number in re.findall(r"rank \d+ is (\d+)", line)]
    assert len(ranks) == 3, "the ranks did not start"
    time.sleep(delay)
    os.kill(ranks[victim], signal.SIGKILL)
    try:
        output, _ = process.communicate(timeout=10)
    finally:
        process.kill()
    assert process.returncode != 0, output
    assert output.strip(), "nobody said why the run ended"


@pytest.mark.timeout(60)
@pytest.mark.parametrize("carrier", CARRIERS)
def test_rank_killed_from_outside(
    runner: Runner, own_copy: Path, temporary: dict[str, str], carrier: str
) -> None:
    before = leftovers(own_copy, Path(temporary["TMPDIR"]))
    kill_one(runner, own_copy, {**temporary, **forced(carrier)}, victim=1, delay=0.3)
    assert not leftovers(own_copy, Path(temporary["TMPDIR"])) - before


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_a_hundred_kills(runner: Runner, own_copy: Path, temporary: dict[str, str]) -> None:
    """At random moments of exchanges by memory."""
    before = leftovers(own_copy, Path(temporary["TMPDIR"]))
    moments = random.Random(1)
    for _ in range(100):
        kill_one(
            runner,
            own_copy,
            {**temporary, **forced("memory")},
            victim=moments.randrange(3),
            delay=moments.uniform(0, 0.2),
        )
        assert not leftovers(own_copy, Path(temporary["TMPDIR"])) - before


@pytest.mark.timeout(60)
@pytest.mark.parametrize("arguments", [[], ["3"], ["0", "15"]])
def test_program_without_mpi(runner: Runner, arguments: list[str]) -> None:
    """It is no MPI program, so there is nothing for Tasuki to do, or to say."""
    program = runner.program("plain")
    native = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=20)
    command = [str(runner.tasuki_command), "run", program, *arguments]
    result = subprocess.run(
        command, capture_output=True, text=True, timeout=20, env=runner.environment()
    )
    assert result.returncode == native.returncode
    assert result.stdout == native.stdout


@pytest.mark.timeout(60)
def test_singleton(runner: Runner) -> None:
    """An MPI program that is started without a launcher is a world of one rank."""
    program = runner.program("life")
    command = [str(runner.tasuki_command), "run", program, "once"]
    environment = runner.environment(FORCED)
    result = subprocess.run(command, capture_output=True, text=True, timeout=30, env=environment)
    assert result.returncode == 0, result.stderr
    assert "initialized; ran bruck" in result.stdout


@pytest.mark.timeout(60)
def test_ranks_without_an_mpi_on_their_path(runner: Runner, tmp_path: Path) -> None:
    """What a program is linked to decides, not which MPI's tools a rank would find."""
    program = runner.program("life")
    command = ["/usr/bin/env", f"PATH={tmp_path}", str(runner.tasuki_command), "run"]
    result = runner.native(2, [*command, program, "once"], FORCED)
    result.expect_ok()
    assert "initialized; ran bruck" in result.output, result.explain()
