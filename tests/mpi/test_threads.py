"""Threads and sessions."""

from __future__ import annotations

import pytest
from runner import Runner


@pytest.mark.timeout(150)
@pytest.mark.parametrize("level", ["single", "funneled", "serialized", "multiple"])
def test_levels_of_threads(runner: Runner, level: str) -> None:
    runner.both(2, [runner.program("threads"), level], seconds=100)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("way", ["alone", "beside"])
@pytest.mark.parametrize("choice", ["native", "spread"])
def test_sessions(runner: Runner, way: str, choice: str) -> None:
    if runner.compile("sessions", ["sessions.c"]).code != 0:
        pytest.skip(f"{runner.host.name} {runner.host.version} has no sessions")
    program = runner.program("sessions")
    runner.native(2, [program, way]).expect_ok()
    runner.tasuki(2, [program, way], {"TASUKI_ALLTOALL": choice}).expect_ok()
