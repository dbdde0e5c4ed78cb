"""Programs whose own linkage says nothing of MPI: Python with mpi4py, and shell scripts."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from runner import PROGRAMS, Runner

pytest.importorskip("numpy")


def mpi4py_settings(runner: Runner) -> dict[str, str]:
    """What makes mpi4py's wheel load this host's libmpi."""
    return {
        "MPI4PY_MPIABI": runner.host.abi,
        "MPI4PY_LIBMPI": str(runner.host.library),
        "LD_LIBRARY_PATH": str(runner.host.library.parent),
    }


@pytest.mark.timeout(90)
@pytest.mark.parametrize("choice", ["native", "bruck"])
def test_mpi4py(runner: Runner, choice: str) -> None:
    pytest.importorskip("mpi4py")
    script = [sys.executable, PROGRAMS / "mpi4py_alltoall.py"]
    settings = mpi4py_settings(runner)
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
