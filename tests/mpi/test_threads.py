"""Threads and sessions."""

from __future__ import annotations

import pytest
from runner import Runner


@pytest.mark.timeout(150)
@pytest.mark.parametrize("level", ["single", "funneled", "serialized", "multiple"])
def test_levels_of_threads(runner: Runner, level: str) -> None:
    runner.both(2, [runner.program("threads"), level], seconds=100)


@pytest.mark.timeout(90)
def test_threads_reduce_by_modes_of_their_own(runner: Runner) -> None:
    program = [runner.program("reducing_threads")]
    runner.tasuki(3, program, {"TASUKI_COLLECTIVES": "auto"}).expect_ok()
    result = runner.tasuki(3, program, {"TASUKI_CHECK_REDUCTIONS": "on"})
    result.expect_ok()
    for collective in ("allreduce", "scan"):
        told = [line.split() for line in result.lines_of_tasuki() if f"{collective} sum" in line]
        # Four threads call it ten times; a launcher may put the rank before what we say.
        assert [words[words.index("tasuki:") + 2] for words in told] == ["40"], result.explain()


@pytest.mark.timeout(60)
@pytest.mark.parametrize("way", ["alone", "beside", "behind"])
@pytest.mark.parametrize("choice", ["native", "spread"])
def test_sessions(runner: Runner, way: str, choice: str) -> None:
    if runner.compile("sessions", ["sessions.c"]).code != 0:
        pytest.skip(f"{runner.host.name} {runner.host.version} has no sessions")
    program = runner.program("sessions")
    runner.native(2, [program, way]).expect_ok()
    runner.tasuki(2, [program, way], {"TASUKI_ALLTOALL": choice}).expect_ok()
