"""Random calls of every collective, by every row of the table and by learning, against the answers
of the host itself."""

from __future__ import annotations

import pytest
from runner import Runner, choices_of, table

SOURCES = ["collectives_moving.c", "collectives_reducing.c"]
COLLECTIVES = ["barrier", "bcast", "allreduce"]
CALLS = 12
"""Of each choice and each MPI call of the collective."""


def choices(collective: str) -> list[str]:
    """COLLECTIVE/CHOICE for every row, with two values of its first parameter and with messages
    inside nodes by memory, and learning."""
    found = [f"{collective}/auto:kept=0"]
    for row in table(collective):
        found += [f"{collective}/{choice}" for choice in choices_of(row)]
        found.append(f"{collective}/{row['name']}:carrier=memory")
    return found


@pytest.mark.timeout(120)
@pytest.mark.parametrize("ranks", [1, 2, 3, 4, 5])
def test_answers_of_every_row(runner: Runner, ranks: int) -> None:
    program = runner.program("collectives", *SOURCES)
    arguments = [choice for collective in COLLECTIVES for choice in choices(collective)]
    settings = {"TASUKI_PLACEMENT": ",".join(str(rank % 2) for rank in range(ranks))}
    result = runner.tasuki(ranks, [program, "11", str(CALLS), *arguments], settings, seconds=100)
    result.expect_ok()


@pytest.mark.timeout(60)
def test_the_program_is_right_without_tasuki(runner: Runner) -> None:
    program = runner.program("collectives", *SOURCES)
    arguments = [f"{collective}/native" for collective in COLLECTIVES]
    runner.native(3, [program, "5", str(CALLS), *arguments]).expect_ok()
