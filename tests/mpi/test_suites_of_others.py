"""mpi4py's own tests, and MPICH's of collectives: what passes natively passes under Tasuki."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from runner import Result, Runner, setting_of, table
from suites_of_others import mpi4py_suite, mpich_suite, mpich_tests
from test_collectives import COLLECTIVES
from test_late_loading import mpi4py_settings

pytestmark = pytest.mark.slow

ROWS_OF_ALLTOALL = [row["name"] for row in table("alltoall")]
"""Of no collective there are more."""


def settings_of(kind: str, cache: Path) -> dict[str, str]:
    """`kind`: what reductions are to keep; or a row of all-to-all, and then of each other
    collective the one at the same place, from the start again where there are fewer."""
    settings = {"TASUKI_CACHE": str(cache)}
    if kind not in ROWS_OF_ALLTOALL:
        return {**settings, "TASUKI_REPRODUCIBLE": kind}
    for name in [*COLLECTIVES, "alltoall"]:
        rows = table(name)
        row = rows[ROWS_OF_ALLTOALL.index(kind) % len(rows)]
        settings[setting_of(name)] = row["name"]
    return settings


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("memory", ["on", "off"])
@pytest.mark.parametrize("kind", ["off", "placement", "exact", *ROWS_OF_ALLTOALL])
def test_mpich(runner: Runner, kind: str, memory: str, tmp_path: Path) -> None:
    folder = mpich_suite(runner)
    settings = {**settings_of(kind, tmp_path), "TASUKI_MEMORY": memory}
    tests = mpich_tests(folder)
    assert len(tests) > 80
    failing = [test for test in tests if not test.passes(runner.tasuki, folder, settings)]
    ours = [test for test in failing if test.passes(runner.native, folder, {})]
    assert not ours, f"{len(ours)} of {len(tests)} pass natively only: {ours}"


def failures(result: Result) -> set[str]:
    assert "Ran " in result.output, result.explain()
    return set(re.findall(r"^(?:FAIL|ERROR): .*", result.output, re.MULTILINE))


@pytest.mark.timeout(1300)
@pytest.mark.parametrize("kind", ["off", "placement", "exact"])
def test_mpi4py(runner: Runner, kind: str, tmp_path: Path) -> None:
    pytest.importorskip("mpi4py")
    left_out = [word for part in ("spawn", "dynproc", "ulfm") for word in ("-e", part)]
    script = [sys.executable, mpi4py_suite() / "main.py", "--no-threads", "-q", *left_out]
    settings = {**mpi4py_settings(runner, tmp_path), **settings_of(kind, tmp_path)}
    result = runner.tasuki(3, script, settings, seconds=600)
    if result.code != 0:
        native = runner.native(3, script, settings, seconds=600)
        ours = failures(result) - failures(native)
        assert native.code != 0 and not ours, result.explain()
