"""Modes of reductions on single communicators, from C, Fortran and Python."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from runner import PROGRAMS, ROOT, Runner
from test_late_loading import mpi4py_settings

RANKS = 4


@pytest.mark.timeout(90)
@pytest.mark.parametrize("of_all", ["off", "placement"])
def test_a_communicator_has_its_own(runner: Runner, of_all: str) -> None:
    program = [runner.program("communicator_modes"), of_all]
    # Every communicator begins with the first row that its mode leaves, not with what was learnt.
    settings = {"TASUKI_REPRODUCIBLE": of_all, "TASUKI_COLLECTIVES": "auto:kept=0"}
    result = runner.tasuki(RANKS, program, settings)
    result.expect_ok()
    told = [line for line in result.lines_of_tasuki() if "does not count" in line]
    assert any("different modes (off, exact)" in line for line in told), result.explain()
    assert any("different modes (none, exact)" in line for line in told), result.explain()
    assert any('no mode "exakt"' in line for line in told), result.explain()
    assert any("an inter-communicator" in line for line in told), result.explain()
    lost = [line for line in told if "in MPI_Comm_idup_with_info" in line]
    assert len(lost) == result.output.count("a hint was lost"), result.explain()


@pytest.mark.timeout(60)
def test_fortran(runner: Runner) -> None:
    module = str(ROOT / "interpose/tasuki.f90")
    program = [runner.fortran_program("communicator_mode.f90", module)]
    result = runner.tasuki(RANKS, program)
    assert result.code == 0, result.explain()
    assert [float(word) for word in result.output.split()] == [0, 2, 2], result.explain()
    native = runner.native(2, program)
    assert native.output.split()[0] == "-1", native.explain()


@pytest.mark.timeout(90)
def test_python(runner: Runner, tmp_path: Path) -> None:
    pytest.importorskip("mpi4py")
    settings = mpi4py_settings(runner, tmp_path)
    script = [sys.executable, PROGRAMS / "communicator_mode.py"]
    result = runner.tasuki(RANKS, script, settings)
    assert result.output.split() == ["2.0"], result.explain()
    native = runner.native(1, script, settings)
    assert "start the program by `tasuki run`" in native.output, native.explain()
