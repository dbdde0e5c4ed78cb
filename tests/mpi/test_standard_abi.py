"""Programs of the MPI-5 standard ABI, which run on MPICH's libmpi_abi."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from runner import Runner, candidates

from tasuki.hosts import Compiler, host_named


@pytest.fixture(scope="module")
def abi_runner(tasuki_command: Path) -> Runner:
    """MPICH's wheel with the other compiler wrapper."""
    try:
        mpich = host_named("mpich")
    except LookupError as error:
        pytest.skip(str(error))
    compiler = mpich.prefix / "bin" / "mpicc_abi"
    library = mpich.library.with_name("libmpi_abi.so.1")
    if not (compiler.exists() and library.exists()):
        pytest.skip(f"{mpich.prefix} has no MPI of the standard ABI")
    compilers = {"c": Compiler((str(compiler),))}
    host = dataclasses.replace(mpich, name="mpi-abi", library=library, compilers=compilers)
    return Runner(host, tasuki_command)


@pytest.mark.timeout(90)
@pytest.mark.parametrize("ranks", [1, 2, 3, 4])
def test_every_algorithm(abi_runner: Runner, ranks: int) -> None:
    program = abi_runner.program("alltoall", "layouts.c")
    abi_runner.native(ranks, [program, "1", "4", "native"]).expect_ok()
    nodes = {"TASUKI_PLACEMENT": "2"}
    arguments = [program, str((ranks + 1) // 2), "4", *candidates()]
    abi_runner.tasuki(ranks, arguments, nodes).expect_ok()


@pytest.mark.timeout(90)
@pytest.mark.parametrize("name", ["communicators", "errors", "attributes", "large_counts"])
def test_programs_of_other_subjects(abi_runner: Runner, name: str) -> None:
    abi_runner.both(2, [abi_runner.program(name)])


@pytest.mark.timeout(60)
def test_its_own_library_goes_before_it(abi_runner: Runner) -> None:
    program = abi_runner.program("life")
    settings = {"TASUKI_ALLTOALL": "bruck", "TASUKI_VERBOSE": "1"}
    result = abi_runner.tasuki(2, [program, "once"], settings)
    result.expect_ok()
    assert "libtasuki-mpi-abi.so" in result.output, result.explain()
    assert "initialized; ran bruck" in result.output, result.explain()


@pytest.mark.timeout(60)
def test_setting_that_cannot_hold(abi_runner: Runner) -> None:
    program = abi_runner.program("life")
    result = abi_runner.tasuki(2, [program, "once"], {"TASUKI_ALLTOALL": "nonsense"})
    assert result.code not in (0, None), result.explain()
    assert "initialized" not in result.output, result.explain()
    assert len(result.lines_of_tasuki()) == 1, result.explain()
    assert "nonsense" in result.lines_of_tasuki()[0], result.explain()
