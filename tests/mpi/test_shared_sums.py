"""Sums over arrays that ranks share: tasuki_exact_sum and what Fortran and Python make of it."""

from __future__ import annotations

import sys
from fractions import Fraction
from pathlib import Path

import pytest
from runner import PROGRAMS, ROOT, Result, Runner
from test_late_loading import mpi4py_settings


@pytest.mark.timeout(150)
@pytest.mark.parametrize("ranks", [1, 4, 17])
def test_sums_are_those_of_one_rank(runner: Runner, ranks: int) -> None:
    runner.tasuki(ranks, [runner.program("shared_sums")], seconds=120).expect_ok()


def expect_sums_of_tenths(result: Result, ranks: int) -> None:
    assert result.code == 0, result.explain()
    words = result.output.split()
    total = float(100 * ranks * Fraction(0.1))
    product = float(100 * ranks * Fraction(0.1) * Fraction(0.1 * 10))
    assert [float(word) for word in words] == [0, 0, total, product], result.explain()


@pytest.mark.timeout(60)
def test_fortran(runner: Runner) -> None:
    program = [runner.fortran_program("shared_sums.f90", str(ROOT / "interpose/tasuki.f90"))]
    expect_sums_of_tenths(runner.tasuki(3, program), 3)
    native = runner.native(2, program)
    assert native.output.split()[:2] == ["-1", "-1"], native.explain()


@pytest.mark.timeout(90)
def test_python(runner: Runner, tmp_path: Path) -> None:
    pytest.importorskip("mpi4py")
    settings = mpi4py_settings(runner, tmp_path)
    script = [sys.executable, PROGRAMS / "shared_sums.py"]
    expect_sums_of_tenths(runner.tasuki(3, script, settings), 3)
    native = runner.native(1, script, settings)
    assert "start the program by `tasuki run`" in native.output, native.explain()
