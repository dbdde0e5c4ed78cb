"""A rank that waits long leaves its core to others, whatever carries the message."""

from __future__ import annotations

import pytest
from runner import Runner

CHOICES = ("spread:window=0", "bruck:radix=2", "pairwise-light-barrier")


def by(carrier: str) -> list[str]:
    return [
        f"{choice}{',' if ':' in choice else ':'}carrier=memory" if carrier == "memory" else choice
        for choice in CHOICES
    ]


@pytest.mark.timeout(60)
@pytest.mark.parametrize("placement", ["0,0,0", "0,0,1", "0,1,2"])
@pytest.mark.parametrize("carrier", ["host", "memory"])
def test_who_waits_leaves_its_core(runner: Runner, placement: str, carrier: str) -> None:
    program = runner.program("late")
    runner.tasuki(3, [program, *by(carrier)], {"TASUKI_PLACEMENT": placement}).expect_ok()


@pytest.mark.timeout(60)
def test_who_waits_for_one_alone_leaves_its_core(runner: Runner) -> None:
    """Two ranks: the host's persistent requests, where they are quicker."""
    program = runner.program("late")
    runner.tasuki(2, [program, *by("host")], {"TASUKI_PLACEMENT": "0,1"}).expect_ok()


@pytest.mark.timeout(60)
def test_the_program_is_right_without_tasuki(runner: Runner) -> None:
    runner.native(3, [runner.program("late"), "native"]).expect_ok()
