"""What the model said beforehand of what a benchmark then measured."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

from rich.table import Table

from tasuki.bench.support.collective_runs import AUTO, NATIVE
from tasuki.model.found import Parameters
from tasuki.native import core
from tasuki.output import console

Rows = Sequence[dict[str, Any]]


def add_predictions(rows: Rows, ranks: int, parameters: Parameters) -> None:
    """Adds predicted_seconds to the rows of one host and number of ranks, all on one node.

    The host's own algorithm has none: nobody knows what it does; nor has what is learnt.
    """
    for algorithm in {row["algorithm"] for row in rows}:
        if algorithm.partition(":")[0] in (NATIVE, AUTO):
            continue
        own = [row for row in rows if row["algorithm"] == algorithm]
        sizes = [row["bytes"] for row in own]
        lines = core().predict("alltoall", ranks, str(ranks), sizes, parameters.text, [algorithm])
        for line in lines.values():
            for row, seconds in zip(own, line, strict=True):
                row["predicted_seconds"] = seconds


def accuracy(rows: Rows, sources: dict[str, str]) -> dict[str, Any]:
    """How far predictions are from measurements, and what it costs to believe them.

    `sources` tells for each host and number of ranks where the parameters are from. An error is the
    difference over the measured time. A case is one host, number of ranks and size; only the
    project's own algorithms take part.
    """
    predicted = [row for row in rows if "predicted_seconds" in row]
    ratios: dict[str, list[float]] = {}
    cases: dict[tuple[str, int, int], list[dict[str, Any]]] = {}
    for row in predicted:
        ratio = row["predicted_seconds"] / row["median_seconds"]
        ratios.setdefault(row["algorithm"], []).append(ratio)
        cases.setdefault((row["mpi"], row["ranks"], row["bytes"]), []).append(row)
    lost = [_lost(case) for case in cases.values()]
    return {
        "parameters": sources,
        "median_error": _median_error([ratio for own in ratios.values() for ratio in own]),
        "algorithms": {
            name: {"median_error": _median_error(own), "median_ratio": statistics.median(own)}
            for name, own in ratios.items()
        },
        "cases": len(cases),
        "best_is_true_best": sum(over == 1 for over in lost),
        "predicted_best_over_best_median": statistics.median(lost) if lost else None,
        "predicted_best_over_best_max": max(lost, default=None),
    }


def _median_error(ratios: Sequence[float]) -> float | None:
    return statistics.median(abs(ratio - 1) for ratio in ratios) if ratios else None


def _lost(case: Rows) -> float:
    """The measured time of what was predicted to be the best, over that of the best."""
    chosen = min(case, key=lambda row: row["predicted_seconds"])
    best = min(row["median_seconds"] for row in case)
    return chosen["median_seconds"] / best


def print_accuracy(told: dict[str, Any]) -> None:
    table = Table("algorithm", "error, median", "predicted / measured", title="The model")
    for name, own in told["algorithms"].items():
        table.add_row(name, f"{own['median_error']:.0%}", f"{own['median_ratio']:.2f}")
    console.print(table)
    for run, source in told["parameters"].items():
        console.print(f"{run}: {source}", highlight=False)
    if told["cases"] == 0:
        return
    console.print(
        f"The model's error is {told['median_error']:.0%} in the median. Its best is the best of "
        f"the project's algorithms in {told['best_is_true_best']} of {told['cases']} cases, and "
        f"takes {told['predicted_best_over_best_median']:.2f} times as long as that in the median, "
        f"{told['predicted_best_over_best_max']:.2f} at most.",
        highlight=False,
    )
