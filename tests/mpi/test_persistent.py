"""Persistent reductions in the modes of reproducibility."""

from __future__ import annotations

from pathlib import Path

import pytest
from runner import Result, Runner

OF_USERS = {"OMPI_MPI_THREAD_LEVEL": "0"}
"""A variable by which users set the level of their MPI: it stays theirs, on every host."""


@pytest.fixture
def program(runner: Runner) -> Path:
    """The program, which is right without Tasuki."""
    found = runner.program("persistent", options=["-lm"])
    if runner.native(2, [found, "off", "few"]).output.startswith("no persistent reductions"):
        pytest.skip(f"{runner.host.name} {runner.host.version} has no persistent reductions")
    return found


def ranks_for(runner: Runner) -> int:
    return 3 if runner.spins else 4


def told(result: Result) -> list[str]:
    return [line for line in result.lines_of_tasuki() if "persistent ones" in line]


def sum_of(result: Result) -> float:
    lines = [line.split() for line in result.output.splitlines()]
    return next(float(words[1]) for words in lines if words[:1] == ["sum"])


@pytest.mark.timeout(100)
def test_the_program_is_right_without_tasuki(runner: Runner, program: Path) -> None:
    runner.native(3, [program, "off"], seconds=90).expect_ok()


@pytest.mark.timeout(200)
@pytest.mark.parametrize(
    ("mode", "placement"),
    [("off", ""), ("placement", ""), ("placement", "0,1,0,2"), ("exact", "")],
    ids=["off", "placement", "another placement", "exact"],
)
def test_bits_are_those_of_blocking_ones(
    runner: Runner, program: Path, mode: str, placement: str
) -> None:
    """Also where ranks start them in different order, and long after what they need was freed."""
    ranks = ranks_for(runner)
    settings = {"TASUKI_REPRODUCIBLE": mode, "TASUKI_PLACEMENT": placement[: 2 * ranks - 1]}
    result = runner.tasuki(ranks, [program, mode], settings, 180)
    result.expect_ok()
    assert not told(result), result.explain()
    if mode != "off":
        assert sum_of(result) == (ranks - 2 if mode == "exact" else 0), result.explain()


@pytest.mark.timeout(60)
def test_mpi_may_end_while_some_are_there(runner: Runner, program: Path) -> None:
    result = runner.tasuki(3, [program, "exact", "few"], {"TASUKI_REPRODUCIBLE": "exact"})
    result.expect_ok()
    assert sum_of(result) == 1, result.explain()


@pytest.mark.timeout(100)
def test_those_beyond_the_limit_are_the_hosts_which_is_said_once(
    runner: Runner, program: Path
) -> None:
    settings = {"TASUKI_REPRODUCIBLE": "exact"}
    result = runner.tasuki(2, [program, "exact", "many"], settings, 90)
    result.expect_ok()
    assert len(told(result)) == 1, result.explain()
    assert "threads" in told(result)[0], result.explain()


@pytest.mark.timeout(60)
def test_without_threads_they_are_the_hosts_which_is_said_once(
    runner: Runner, program: Path
) -> None:
    settings = {"TASUKI_REPRODUCIBLE": "exact", **OF_USERS}
    result = runner.tasuki(3, [program, "exact", "few"], settings)
    result.expect_ok()
    assert len(told(result)) == 1, result.explain()
    assert "MPI_THREAD_MULTIPLE" in told(result)[0], result.explain()


@pytest.mark.timeout(60)
def test_a_tool_that_takes_their_start_leaves_them_to_the_host(
    runner: Runner, program: Path
) -> None:
    """Linked with the program, it calls PMPI_Start, of which Tasuki is not told."""
    assert program.exists()
    sources = ["persistent.c", "starting_tool.c"]
    compiled = runner.compile("persistent_tooled", sources, ["-rdynamic", "-lm"])
    assert compiled.code == 0, compiled.explain()
    command = [runner.program_path("persistent_tooled"), "exact", "few"]
    result = runner.tasuki(2, command, {"TASUKI_REPRODUCIBLE": "exact"})
    result.expect_ok()
    assert len(told(result)) == 1, result.explain()
    assert "MPI_Start" in told(result)[0], result.explain()


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("source", "interface"), [("persistent", "mpi"), ("persistent_f08", "mpi_f08")]
)
def test_fortran(runner: Runner, program: Path, source: str, interface: str) -> None:
    assert program.exists()
    if interface not in runner.host.fortran_interfaces:
        pytest.skip(f"{runner.host.name} has no {interface} here")
    # Buffers are of several types, where the compiler knows nothing of MPI's procedures.
    options = ["-fallow-argument-mismatch", "-w"]
    compiled = runner.compile(f"{source}_fortran", [f"{source}.f90"], options, language="fortran")
    assert compiled.code == 0, compiled.explain()
    command = [runner.program_path(f"{source}_fortran")]
    result = runner.tasuki(4, command, {"TASUKI_REPRODUCIBLE": "exact"})
    assert result.code == 0, result.explain()
    assert not told(result), result.explain()
    numbers = [float(word) for word in result.output.split()]
    assert numbers == [2, 2, 4, 2, 2, 4], result.explain()
