"""Exact sums of a million random lines of numbers against Python's fractions: minutes, for which
the C++ tests have no time. They build the program and take it through a thousand."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
PARTS = 10


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("part", range(PARTS))
def test_a_million_lines(part: int) -> None:
    built = list(HERE.parents[1].glob("build/*/tests/reduce/reduce_sum_lines"))
    if not built:
        pytest.skip("no reduce_sum_lines: make cpp-dev")
    newest = max(built, key=lambda path: path.stat().st_mtime)
    command = [sys.executable, HERE / "check_sums.py", newest, str(part), str(10**6 // PARTS)]
    told = subprocess.run(command, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stderr
