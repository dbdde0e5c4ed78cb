"""Wrong arguments, and no memory."""

from __future__ import annotations

import pytest
from runner import Runner


@pytest.mark.timeout(60)
def test_wrong_arguments_give_the_errors_of_the_host(runner: Runner) -> None:
    runner.both(2, [runner.program("errors")])


@pytest.mark.timeout(60)
def test_a_rank_without_memory_ends_the_run(runner: Runner) -> None:
    """It cannot take part, so the others would wait for it."""
    program = runner.program("no_memory")
    result = runner.tasuki(4, [program], {"TASUKI_ALLTOALL": "bruck"}, seconds=40)
    assert result.code not in (0, None), result.explain()
    assert "rank 3 has no memory for the" in result.output, result.explain()
