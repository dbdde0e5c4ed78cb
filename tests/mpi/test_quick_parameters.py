"""Parameters that a run measures itself where none are kept, shown by the run's report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from runner import SAVE_TIME, Runner

core = pytest.importorskip("tasuki._core")
if not hasattr(core, "find_parameters"):
    pytest.skip("tasuki._core is older than kept parameters", allow_module_level=True)

from tasuki.machine import usable_cores  # noqa: E402
from tasuki.model.measurement import keep, measure_machine  # noqa: E402
from tasuki.model.program import compile_measurement, start_measurement  # noqa: E402

SIZES = [8, 4096, 65536]

# Percent: so much that what other processes do to the machine does not decide whether it pays.
BUDGET = 100


def world_of(
    runner: Runner, folder: Path, calls: int, way: str, ranks: int = 2, **settings: str
) -> dict[str, Any]:
    """What the report says of MPI_COMM_WORLD, where sums of four sizes had `calls` calls each."""
    report = folder / "report.json"
    settings = {
        "TASUKI_ALLREDUCE": way,
        "TASUKI_CACHE": str(folder),
        "TASUKI_REPORT": str(report),
        **settings,
    }
    arguments = [runner.program("sizes"), str(calls)]
    runner.tasuki(ranks, arguments, settings, seconds=90).expect_ok()
    (world,) = json.loads(report.read_text())["communicators"]
    return world


def sources(world: dict[str, Any]) -> list[str]:
    """By which parameters the sizes were predicted, in the order in which they came."""
    learnt = sorted((size["size"], size["learnt"]) for size in world["sizes"] if size["learnt"])
    return [decision["parameters"] for _, decision in learnt if decision]


@pytest.mark.timeout(150)
@pytest.mark.parametrize("pairs", ["on-node", "off-node"])
def test_what_pays_for_it_is_measured_and_used(runner: Runner, pairs: str, tmp_path: Path) -> None:
    placement = "1x2" if pairs == "on-node" else "2x1"
    way = f"auto:budget={BUDGET},kept=0"
    # On a busy machine a step may have to wait for cores, which more calls must pay for.
    for calls in (2000, 8000):
        world = world_of(runner, tmp_path, calls, way, TASUKI_PLACEMENT=placement)
        quick = world["quick_measurement"]
        used = sources(world)
        if quick["is_done"] and "quick" in used:
            break
    # Not before learning has ended; that steps wait for the budget is tested in virtual time.
    assert quick["call"] > 8 and quick["seconds"] > 0 and quick["paid_by_seconds"] > 0
    charged = sum(size["learnt"]["learning_seconds"] for size in world["sizes"] if size["learnt"])
    assert charged >= 0.999 * quick["seconds"]
    messages = [(message["pairs"], message["bytes"]) for message in quick["messages"]]
    assert messages == [(pairs, size) for size in SIZES][: len(messages)]
    assert all(0 < message["seconds"] < 1 for message in quick["messages"])
    assert quick["is_done"] == (len(messages) == len(SIZES))
    assert used[0] == "built-in" and used == sorted(used), "once measured, they are used"
    assert quick["is_done"] or "quick" not in used
    if "quick" not in used:
        pytest.skip("the machine is too busy: what a step took was never paid for")


@pytest.mark.timeout(100)
def test_pairs_of_both_kinds(runner: Runner, tmp_path: Path) -> None:
    if usable_cores() < 4 and runner.spins:
        pytest.skip("with more ranks than cores a call takes milliseconds")
    way = f"auto:budget={BUDGET},kept=0"
    world = world_of(runner, tmp_path, 1500, way, ranks=4, TASUKI_PLACEMENT="2x2")
    quick = world["quick_measurement"]
    kinds = [message["pairs"] for message in quick["messages"]]
    # As far as was paid for: ranks that share cores wait long.
    assert kinds == (["on-node"] * 3 + ["off-node"] * 3)[: len(kinds)], quick
    assert quick["is_done"] == (len(kinds) == 6)


def test_a_short_run_measures_nothing(runner: Runner, tmp_path: Path) -> None:
    world = world_of(runner, tmp_path, 8, "auto:budget=100")
    assert world["quick_measurement"] == {
        "is_done": False,
        "call": 0,
        "paid_by_seconds": 0,
        "seconds": 0,
        "messages": [],
    }
    assert set(sources(world)) == {"built-in"}


@pytest.mark.timeout(100)
def test_where_parameters_are_kept_nothing_is_measured(
    runner: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What chooses a transport is part of the fingerprint.
    for name, value in {**SAVE_TIME, "TASUKI_CACHE": str(tmp_path)}.items():
        monkeypatch.setenv(name, value)
    program = compile_measurement(runner.host, tmp_path)
    with start_measurement(runner.host, program, 2, 0.001) as measurement:
        keep(measure_machine(measurement, 64, lambda place, size: None), None)
    world = world_of(runner, tmp_path, 1000, f"auto:budget={BUDGET},kept=0")
    assert world["quick_measurement"] is None
    assert set(sources(world)) == {"measured"}


@pytest.mark.timeout(100)
def test_without_predictions_nothing_is_measured(runner: Runner, tmp_path: Path) -> None:
    world = world_of(runner, tmp_path, 1000, "auto:model=0,budget=100,kept=0")
    assert not (world["quick_measurement"] or {}).get("messages")
    assert sources(world) == [None] * len(sources(world))
