"""What communicators of one run learn for each other, and what is kept of all of them."""

from __future__ import annotations

import itertools
import json
import os
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from runner import Runner, with_a_name_each

ROUNDS, CALLS = 4, 3000


def exchanges(
    runner: Runner, folder: Path, way: str, *before: str, calls: int = CALLS, **settings: str
) -> list[dict[str, Any]]:
    """What the report says of the all-to-all on each communicator, in the order of first use."""
    report = folder / "report.json"
    settings = {
        "TASUKI_ALLTOALL": way,
        "TASUKI_CACHE": str(folder),
        "TASUKI_REPORT": str(report),
        "EXPECT_TASUKI": "1",
        **settings,
    }
    program = [runner.program("successors"), str(ROUNDS), str(calls)]
    command = [*before, str(runner.tasuki_command), "run", *program]
    runner.native(2, command, settings, seconds=90).expect_ok()
    communicators = json.loads(report.read_text())["communicators"]
    communicators.sort(key=lambda communicator: communicator["ordinal"])
    return [
        {**size, "shares_cores": communicator["shares_cores"]}
        for communicator in communicators
        for size in communicator["sizes"]
        if size["collective"] == "alltoall"
    ]


def algorithms_after(size: dict[str, Any], first: int, last: int) -> set[str]:
    """What ran in these calls, but for interludes."""
    return {
        span["algorithm"]
        for span in size["algorithm_over_calls"]
        if span["first_call"] <= last and span["last_call"] >= first
    }


@pytest.mark.timeout(100)
def test_what_one_has_learnt_the_next_begins_with(runner: Runner, tmp_path: Path) -> None:
    """Four calls of the host's own before learning and four in it; then the winner, while its
    first 64 samples are taken. Others would be looked at in between if it were learnt anew."""
    # Nothing has to wait for the budget, so learning has ended whatever else the machine does.
    rounds = exchanges(runner, tmp_path, "auto:budget=100", TASUKI_DECISIONS="ignore")
    assert len(rounds) == ROUNDS
    for before, now in itertools.pairwise(rounds):
        ran = algorithms_after(now, 10, 70)
        assert len(ran) == 1, now
        # Unless that was about to be learnt again, because the machine had changed.
        if before["learnt"]["phase"] == "running" and before["learnt"]["relearnings"] == 0:
            assert ran == {before["learnt"]["winner"]}, (before, now)
    assert not list(tmp_path.glob("decisions-*"))


@pytest.mark.timeout(100)
def test_where_nothing_is_kept_each_learns_by_itself(runner: Runner, tmp_path: Path) -> None:
    rounds = exchanges(runner, tmp_path, "auto:budget=100,kept=0")
    for now in rounds:
        learnt = now["learnt"]
        assert learnt["winner"] == "native" or learnt["switched_at"] > 8, now


@pytest.mark.timeout(100)
def test_what_all_have_saved_and_cost_is_kept(runner: Runner, tmp_path: Path) -> None:
    rounds = exchanges(runner, tmp_path, "auto:budget=100")
    (file,) = tmp_path.glob("decisions-*")
    lines = dict(line.split(" ", 1) for line in file.read_text().splitlines() if " " in line)
    chosen = [now["learnt"] for now in rounds]
    assert int(lines["calls"]) == sum(learnt["calls"] for learnt in chosen)
    for name in ("learning", "saved"):
        expected = sum(learnt[f"{name}_seconds"] for learnt in chosen)
        assert float(lines[f"{name}-seconds"]) == pytest.approx(expected), name


def are_bound_ranks_sharing_cores(
    runner: Runner, folder: Path, before: Sequence[str] = ()
) -> list[bool]:
    """Of two that are bound to one core, as the report has it for each communicator."""
    taskset = shutil.which("taskset")
    if taskset is None:
        pytest.skip("there is no taskset")
    core = str(min(os.sched_getaffinity(0)))
    bound = exchanges(runner, folder, "auto", *before, taskset, "-c", core, calls=20)
    return [size["shares_cores"] for size in bound]


@pytest.mark.timeout(100)
def test_ranks_bound_to_one_core_share_it(runner: Runner, tmp_path: Path) -> None:
    assert are_bound_ranks_sharing_cores(runner, tmp_path) == [True] * ROUNDS


@pytest.mark.timeout(100)
def test_containers_bound_to_one_core_share_it(runner: Runner, tmp_path: Path) -> None:
    """The MPI library tells that they are on one node."""
    named = with_a_name_each()
    program = [runner.program("successors"), "1", "1"]
    if runner.native(2, [*named, *program]).code != 0:
        pytest.skip(f"{runner.host.name} itself does not run so")
    assert are_bound_ranks_sharing_cores(runner, tmp_path, named) == [True] * ROUNDS
