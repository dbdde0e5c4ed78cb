"""Communicators of every origin, thousands of them, and what users keep at them."""

from __future__ import annotations

import pytest
from runner import Runner, candidates, rows


@pytest.mark.timeout(200)
@pytest.mark.parametrize("ranks", [1, 2, 5])
def test_kinds_of_communicators(runner: Runner, ranks: int) -> None:
    program = runner.program("communicators")
    runner.native(ranks, [program, "native"]).expect_ok()
    some = [row for row in rows() if row.startswith(("native", "spread", "bruck", "node-aware"))]
    runner.tasuki(ranks, [program, *some], seconds=150).expect_ok()


@pytest.mark.timeout(120)
def test_nothing_stays_of_freed_communicators(runner: Runner) -> None:
    program = runner.program("many_communicators")
    some = [candidates()[0], *[name for name in candidates() if name in ("spread", "bruck")]]
    runner.native(2, [program, "2000", "native"]).expect_ok()
    runner.tasuki(2, [program, "2000", *some], seconds=90).expect_ok()


@pytest.mark.timeout(120)
@pytest.mark.parametrize("spawned", ["without", "with"])
def test_communicators_that_reach_another_world(runner: Runner, spawned: str) -> None:
    program = runner.program("spawned")
    if not runner.native(2, [program, "-", "native"], seconds=30).says_ok():
        pytest.skip(f"{runner.host.name} {runner.host.version} starts no processes here")
    launcher = "-" if spawned == "without" else str(runner.tasuki_command)
    some = [row for row in rows() if row.startswith(("native", "spread", "bruck"))]
    runner.tasuki(2, [program, launcher, *some]).expect_ok()


@pytest.mark.timeout(60)
def test_attributes_see_nothing_of_tasuki(runner: Runner) -> None:
    runner.both(2, [runner.program("attributes")])


@pytest.mark.timeout(200)
@pytest.mark.parametrize("ranks", [2, 3])
def test_other_traffic_is_not_disturbed(runner: Runner, ranks: int) -> None:
    runner.both(ranks, [runner.program("traffic")], seconds=90)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("ranks", [2, 3])
def test_what_is_prepared_for_a_loop_meets_other_ranks(runner: Runner, ranks: int) -> None:
    program = runner.program("repeated")
    runner.native(ranks, [program, "native"]).expect_ok()
    runner.tasuki(ranks, [program, "spread", "pairwise"]).expect_ok()
