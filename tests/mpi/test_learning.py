"""TASUKI_ALLTOALL=auto: answers while algorithms change, and decisions that are kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from runner import Runner

from tasuki.machine import usable_cores


def calls_for(runner: Runner, ranks: int) -> str:
    return "40" if runner.spins and ranks > 2 else "400"


@pytest.mark.timeout(150)
@pytest.mark.parametrize("ranks", [1, 2, 3, 5])
def test_answers_while_learning(runner: Runner, ranks: int, tmp_path: Path) -> None:
    program = runner.program("learning")
    settings = {"TASUKI_ALLTOALL": "auto", "TASUKI_CACHE": str(tmp_path)}
    arguments = [program, calls_for(runner, ranks)]
    runner.tasuki(ranks, arguments, settings, seconds=100).expect_ok()
    # A second run starts with what the first has kept.
    runner.tasuki(ranks, arguments, settings, seconds=100).expect_ok()


@pytest.mark.timeout(100)
def test_decisions_of_communicators_without_the_first_rank_are_kept(
    runner: Runner, tmp_path: Path
) -> None:
    program = runner.program("learning")
    # A larger budget, so that learning has ended whatever else the machine does.
    settings = {"TASUKI_ALLTOALL": "auto:budget=100", "TASUKI_CACHE": str(tmp_path)}
    runner.tasuki(3, [program, "20000", "without-first"], settings, seconds=90).expect_ok()
    kept = [path.read_text() for path in tmp_path.glob("decisions-*")]
    assert len(kept) == 1
    assert "ranks=2" in kept[0]


@pytest.mark.timeout(100)
def test_where_ranks_share_cores_the_host_is_not_asked_twice(
    runner: Runner, tmp_path: Path
) -> None:
    """MPICH takes tens of milliseconds for a call there. Of a fast host, more calls may follow the
    first: on a busy machine an agreement can take as long as many of them, which the budget must
    pay for."""
    ranks = 4 * usable_cores()
    if ranks > 16:
        pytest.skip("more cores than this is made for")
    report = tmp_path / "report.json"
    settings = {"TASUKI_ALLREDUCE": "auto:kept=0", "TASUKI_REPORT": str(report)}
    runner.tasuki(ranks, [runner.program("sizes"), "60"], settings, seconds=90).expect_ok()
    (world,) = json.loads(report.read_text())["communicators"]
    sizes = [size for size in world["sizes"] if size["size"] > 1000]
    sizes.sort(key=lambda size: size["size"])
    for smaller, size in zip([None, *sizes], sizes, strict=False):
        first = size["algorithm_over_calls"][0]
        if first["algorithm"] == "native" and seconds_of_slow_host(size) > 0:
            assert first["last_call"] == 4, size
        if smaller is None:
            assert first["algorithm"] == "native", size
        elif seconds_of_slow_host(smaller) > 5e-3:
            assert first["algorithm"] != "native", size


def seconds_of_slow_host(size: dict[str, Any]) -> float:
    """0 if it does not take many times what the best other takes."""
    seconds = {use["name"]: use["seconds_mean"] / use["calls"] for use in size["algorithms"]}
    host = seconds.pop("native", 0.0)
    return host if host > 50 * min(seconds.values()) else 0.0


@pytest.mark.timeout(100)
@pytest.mark.parametrize("ranks", [2, 3])
def test_calls_of_which_nothing_is_asked(runner: Runner, ranks: int, tmp_path: Path) -> None:
    settings = {"TASUKI_COLLECTIVES": "auto", "TASUKI_CACHE": str(tmp_path)}
    arguments = [runner.program("quiet"), calls_for(runner, ranks)]
    runner.tasuki(ranks, arguments, settings, seconds=90).expect_ok()


@pytest.mark.timeout(100)
def test_where_ranks_share_cores_none_is_learnt_that_lets_them_run_ahead(
    runner: Runner, tmp_path: Path
) -> None:
    """By the host's messages: once these have no room left, calls take a thousand times as long."""
    ranks = 2 * usable_cores()
    if ranks > 16:
        pytest.skip("more cores than this is made for")
    # A larger budget, so that learning ends whatever else the machine does.
    settings = {"TASUKI_COLLECTIVES": "auto:budget=100", "TASUKI_CACHE": str(tmp_path)}
    arguments = [runner.program("quiet"), "40" if runner.spins else "1000"]
    runner.tasuki(ranks, arguments, settings, seconds=90).expect_ok()
    decisions = "".join(path.read_text() for path in tmp_path.glob("decisions-*"))
    learnt = [
        line.split()[-1]
        for decision in decisions.split("key ")
        if decision.startswith("bcast ") and f" ranks={ranks} " in decision
        for line in decision.splitlines()
        if line.startswith("candidate ")
    ]
    assert decisions or runner.spins
    assert all(name == "native" or "carrier=memory" in name for name in learnt), learnt


@pytest.mark.timeout(100)
@pytest.mark.parametrize("carrier", ["memory", "host"])
def test_calls_of_ours_come_again(runner: Runner, carrier: str, tmp_path: Path) -> None:
    """Also those whose sizes are in arrays, which change."""
    rows = {"ALLTOALL": "spread", "ALLTOALLV": "spread", "GATHER": "linear"}
    rows |= {"ALLREDUCE": "recursive-doubling", "BCAST": "binomial", "SCAN": "hillis-steele"}
    settings = {f"TASUKI_{name}": f"{row}:carrier={carrier}" for name, row in rows.items()}
    settings |= {"TASUKI_COLLECTIVES": "auto", "TASUKI_CACHE": str(tmp_path)}
    arguments = [runner.program("quiet"), calls_for(runner, 3)]
    runner.tasuki(3, arguments, settings, seconds=90).expect_ok()


@pytest.mark.timeout(100)
def test_that_sizes_have_changed_is_noticed_in_time(runner: Runner, tmp_path: Path) -> None:
    """However many calls there were before: where no rank knows the sizes of the others."""
    report = tmp_path / "report.json"
    settings = {"TASUKI_COLLECTIVES": "auto:kept=0", "TASUKI_REPORT": str(report)}
    arguments = [runner.program("changed_sizes"), "9000", "3400"]
    runner.tasuki(2, arguments, settings, seconds=90).expect_ok()
    (world,) = json.loads(report.read_text())["communicators"]
    for collective in ("alltoallv", "gatherv"):
        calls = {
            size["size"]: size["calls"]
            for size in world["sizes"]
            if size["collective"] == collective
        }
        assert sum(calls.values()) == 12400, calls
        # Call 12,288 is the first of all 4,096 that meets the larger ones.
        assert sum(count for size, count in calls.items() if size >= 4096) == 113, calls


@pytest.mark.timeout(100)
@pytest.mark.parametrize("way", ["auto", "native"])
def test_calls_with_arrays_come_again(runner: Runner, way: str, tmp_path: Path) -> None:
    """Without a report, for which every call is handled."""
    settings = {"TASUKI_COLLECTIVES": "auto", "TASUKI_CACHE": str(tmp_path)}
    settings |= {f"TASUKI_{name}": way for name in ("ALLGATHER", "REDUCE_SCATTER")}
    arguments = [runner.program("changed_sizes"), "4000", "100"]
    runner.tasuki(2, arguments, settings, seconds=90).expect_ok()


@pytest.mark.timeout(60)
@pytest.mark.parametrize("ranks", [2, 3])
def test_new_communicators_wait(runner: Runner, ranks: int, tmp_path: Path) -> None:
    settings = {"TASUKI_CACHE": str(tmp_path)}
    runner.both(ranks, [runner.program("new_communicators")], settings)


@pytest.mark.timeout(60)
@pytest.mark.parametrize("way", ["auto", "ring:carrier=memory"])
def test_communicators_come_and_go(runner: Runner, way: str, tmp_path: Path) -> None:
    settings = {"TASUKI_ALLTOALL": way, "TASUKI_CACHE": str(tmp_path)}
    runner.tasuki(3, [runner.program("spare_communicators")], settings).expect_ok()


@pytest.mark.timeout(100)
@pytest.mark.parametrize(
    "way",
    ["auto:model=0", "auto:kept=0", "auto:model=0,kept=0,budget=50", "auto:grouping=midpoint"],
)
def test_ways_of_learning(runner: Runner, way: str, tmp_path: Path) -> None:
    program = runner.program("learning")
    settings = {"TASUKI_ALLTOALL": way, "TASUKI_CACHE": str(tmp_path)}
    runner.tasuki(2, [program, "100"], settings, seconds=60).expect_ok()
    if "kept=0" in way:
        assert not list(tmp_path.glob("decisions-*"))


@pytest.mark.timeout(100)
def test_decisions_are_ignored_if_that_is_asked_for(runner: Runner, tmp_path: Path) -> None:
    program = runner.program("learning")
    settings = {
        "TASUKI_ALLTOALL": "auto",
        "TASUKI_CACHE": str(tmp_path),
        "TASUKI_DECISIONS": "ignore",
    }
    runner.tasuki(2, [program, "400"], settings, seconds=60).expect_ok()
    assert not list(tmp_path.glob("decisions-*"))


@pytest.mark.timeout(100)
def test_a_cache_that_cannot_be_used_harms_nothing(runner: Runner, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("no directory")
    program = runner.program("learning")
    settings = {"TASUKI_ALLTOALL": "auto", "TASUKI_CACHE": str(blocked / "cache")}
    runner.tasuki(2, [program, "100"], settings, seconds=60).expect_ok()
