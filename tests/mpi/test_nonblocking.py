"""Non-blocking reductions in the modes of reproducibility."""

from __future__ import annotations

import json
import resource
from pathlib import Path

import pytest
from runner import Result, Runner

LEVELS = {"SINGLE": 0, "FUNNELED": 1, "SERIALIZED": 2, "MULTIPLE": 3}
OF_USERS = {"OMPI_MPI_THREAD_LEVEL": "0"}
"""A variable by which users set the level of their MPI: it stays theirs, on every host."""


def ranks_for(runner: Runner) -> int:
    return 3 if runner.spins else 4


def lines_with(result: Result, text: str) -> list[str]:
    return [line for line in result.lines_of_tasuki() if text in line]


def sum_of(result: Result) -> float:
    lines = [line.split() for line in result.output.splitlines()]
    return next(float(words[1]) for words in lines if words[:1] == ["sum"])


@pytest.mark.timeout(100)
def test_the_program_is_right_without_tasuki(runner: Runner) -> None:
    runner.native(3, [runner.program("nonblocking"), "off"]).expect_ok()


@pytest.mark.timeout(200)
@pytest.mark.parametrize(
    ("mode", "placement"),
    [("off", ""), ("placement", ""), ("placement", "0,1,0,2"), ("exact", "")],
    ids=["off", "placement", "another placement", "exact"],
)
def test_bits_are_those_of_blocking_ones(runner: Runner, mode: str, placement: str) -> None:
    ranks = ranks_for(runner)
    settings = {
        "TASUKI_REPRODUCIBLE": mode,
        "TASUKI_PLACEMENT": placement[: 2 * ranks - 1],
        "EXPECT_UNSET": "OMPI_MCA_mpi_yield_when_idle",
    }
    result = runner.tasuki(ranks, [runner.program("nonblocking"), mode], settings, 180)
    result.expect_ok()
    assert not lines_with(result, "non-blocking"), result.explain()
    if mode == "exact":
        assert sum_of(result) == ranks - 2, result.explain()
    elif mode == "placement":
        assert sum_of(result) == 0, result.explain()


@pytest.mark.timeout(200)
@pytest.mark.parametrize("asked", [None, *LEVELS.values()], ids=["MPI_Init", *LEVELS])
def test_the_program_is_told_the_threads_that_it_asks_for(
    runner: Runner, asked: int | None
) -> None:
    program = [runner.program("nonblocking"), "exact", "few", *([] if asked is None else [asked])]
    program = [str(word) for word in program]

    def told(result: Result) -> list[str]:
        result.expect_ok()
        return [line for line in result.output.splitlines() if line.startswith("told ")]

    native = told(runner.native(2, program))
    assert told(runner.tasuki(2, program, {"TASUKI_REPRODUCIBLE": "exact"})) == native
    assert told(runner.tasuki(2, program)) == native


@pytest.mark.timeout(100)
@pytest.mark.parametrize("how", ["by the user's variable", "by the mode of one communicator"])
def test_without_threads_they_are_the_hosts_which_is_said_once(runner: Runner, how: str) -> None:
    of_one = how == "by the mode of one communicator"
    settings = {} if of_one else {"TASUKI_REPRODUCIBLE": "exact", **OF_USERS}
    program = [runner.program("nonblocking"), "exact", "one" if of_one else "few"]
    result = runner.tasuki(3, program, settings, 90)
    result.expect_ok()
    told = lines_with(result, "non-blocking and persistent ones are the host MPI's own")
    assert len(told) == 1, result.explain()
    assert "MPI_THREAD_MULTIPLE" in told[0]


@pytest.mark.timeout(100)
def test_the_mode_of_one_communicator_holds_where_there_are_threads(runner: Runner) -> None:
    program = [runner.program("nonblocking"), "exact", "one", str(LEVELS["MULTIPLE"])]
    result = runner.tasuki(3, program, seconds=90)
    result.expect_ok()
    assert sum_of(result) == 1, result.explain()
    assert not lines_with(result, "non-blocking"), result.explain()


@pytest.mark.timeout(200)
def test_the_report_tells_of_blocking_calls_only(runner: Runner, tmp_path: Path) -> None:
    program = [runner.program("nonblocking"), "placement", "few"]

    def counted(mode: str) -> tuple[list[tuple[int, int]], int]:
        """The communicators by ranks and ordinal, and the calls of all."""
        report = tmp_path / f"{mode}.json"
        settings = {"TASUKI_REPRODUCIBLE": mode, "TASUKI_REPORT": str(report)}
        runner.tasuki(2, program, settings, 90).expect_ok()
        entries = json.loads(report.read_text())["communicators"]
        calls = sum(size["calls"] for entry in entries for size in entry["sizes"])
        return sorted((entry["ranks"], entry["ordinal"]) for entry in entries), calls

    assert counted("placement") == counted("off")


@pytest.mark.timeout(100)
@pytest.mark.parametrize(
    ("source", "interface"), [("nonblocking", "mpi"), ("nonblocking_f08", "mpi_f08")]
)
def test_fortran(runner: Runner, source: str, interface: str) -> None:
    if interface not in runner.host.fortran_interfaces:
        pytest.skip(f"{runner.host.name} has no {interface} here")
    # MPI_IN_PLACE is an integer, where the compiler knows nothing of MPI's procedures.
    options = ["-fallow-argument-mismatch", "-w"]
    compiled = runner.compile(f"{source}_fortran", [f"{source}.f90"], options, language="fortran")
    assert compiled.code == 0, compiled.explain()
    program = [runner.program_path(f"{source}_fortran")]
    result = runner.tasuki(4, program, {"TASUKI_REPRODUCIBLE": "exact"})
    assert result.code == 0, result.explain()
    lines = [line for line in result.output.splitlines() if "tasuki: " not in line]
    numbers = [float(word) for line in lines for word in line.split()]
    # The program's own operation has no exact sum: its place is the canonical tree.
    of_program = [0] if source == "nonblocking" else []
    assert numbers == [LEVELS["SINGLE"], 2, 2, 2, *of_program], result.explain()


@pytest.mark.timeout(60)
@pytest.mark.parametrize("kind", ["together", "large"])
def test_operations_are_as_on_the_programs_thread(runner: Runner, kind: str) -> None:
    """One at a time, and with as much of a stack."""
    if kind == "large" and resource.getrlimit(resource.RLIMIT_STACK)[1] != resource.RLIM_INFINITY:
        pytest.skip("the stack has a hard limit here")
    result = runner.tasuki(
        2, [runner.program("own_operations"), kind], {"TASUKI_REPRODUCIBLE": "placement"}
    )
    result.expect_ok()
    assert result.output.count("ok: operations are right") == 2, result.explain()
