"""Programs whose own linkage says nothing of MPI: Python with mpi4py, and shell scripts."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from runner import PROGRAMS, Runner

pytest.importorskip("numpy")


def mpi4py_settings(runner: Runner, folder: Path) -> dict[str, str]:
    """What makes mpi4py's wheel load this host's libmpi. Debian's MPICH has a name of its own, so
    the name that the wheel asks for is made to lead to it."""
    name = {"openmpi": "libmpi.so.40", "mpich": "libmpi.so.12"}[runner.host.abi]
    libraries = runner.host.library.parent
    if not (libraries / name).exists():
        (folder / name).symlink_to(runner.host.library)
        libraries = folder
    return {"MPI4PY_MPIABI": runner.host.abi, "LD_LIBRARY_PATH": str(libraries)}


@pytest.mark.timeout(90)
@pytest.mark.parametrize("choice", ["native", "bruck"])
def test_mpi4py(runner: Runner, tmp_path: Path, choice: str) -> None:
    pytest.importorskip("mpi4py")
    script = [sys.executable, PROGRAMS / "mpi4py_alltoall.py"]
    settings = mpi4py_settings(runner, tmp_path)
    runner.native(3, script, settings).expect_ok()
    result = runner.tasuki(3, script, {**settings, "TASUKI_ALLTOALL": choice})
    result.expect_ok()
    if choice != "native":
        assert f"ran {choice}" in result.output, result.explain()


@pytest.mark.timeout(60)
def test_shell_script_that_starts_the_program(runner: Runner, tmp_path: Path) -> None:
    program = runner.program("life")
    script = tmp_path / "start.sh"
    script.write_text(f'#!/bin/sh\necho "starting"\n{program} "$@"\n')
    script.chmod(0o755)
    result = runner.tasuki(2, [script, "once"], {"TASUKI_ALLTOALL": "bruck"})
    result.expect_ok()
    assert "initialized; ran bruck" in result.output, result.explain()
    code = runner.tasuki(2, [script, "exit", "7"]).code
    assert code == runner.native(2, [script, "exit", "7"]).code != 0
