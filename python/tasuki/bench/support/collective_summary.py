"""What the times of collectives say of Tasuki against each host."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tasuki.bench.support.collective_runs import AUTO, NATIVE
from tasuki.bench.support.ratios import geometric_mean

Rows = Sequence[dict[str, Any]]
LEARNT, BEST = "the algorithm that auto has learnt", "the fastest of the algorithms timed"


def is_learnt(row: dict[str, Any]) -> bool:
    return row["algorithm"].partition(":")[0] == AUTO


def rows_of_tasuki(rows: Rows) -> list[dict[str, Any]]:
    """What Tasuki is in each cell (host, ranks, collective and size): `auto` where it was timed,
    the fastest of its other algorithms elsewhere; nothing where only the host's own ran."""
    cells: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for row in rows:
        if row["algorithm"] != NATIVE:
            key = (row["mpi"], row["ranks"], row["collective"], row["bytes"])
            cells.setdefault(key, []).append(row)
    return [
        min(filter(is_learnt, cell), key=_seconds, default=None) or min(cell, key=_seconds)
        for cell in cells.values()
    ]


def _seconds(row: dict[str, Any]) -> float:
    return row["median_seconds"]


def summary(
    rows: Rows, hosts: Sequence[str], skipped: Rows, left_out: Sequence[dict[str, str]]
) -> dict[str, Any]:
    """By host how Tasuki compares; then what was outside its domain, and what Tasuki does not know.

    A host of which nothing was measured has null for each figure.
    """
    chosen = rows_of_tasuki(rows)
    found: dict[str, Any] = {
        host: _of_host([row for row in chosen if row["mpi"] == host]) for host in hosts
    }
    return found | {"skipped": list(skipped), "left_out": list(left_out)}


def _of_host(rows: Rows) -> dict[str, Any]:
    ratios = [row["ratio_to_native"] for row in rows]
    certain = [ratio for row in rows if (ratio := row["certain_ratio_to_native"]) is not None]
    mean = geometric_mean(ratios) if ratios else None
    worst = max(rows, key=lambda row: row["ratio_to_native"], default=None)
    by_collective: dict[str, list[float]] = {}
    for row in rows:
        by_collective.setdefault(row["collective"], []).append(row["ratio_to_native"])
    what = LEARNT if all(map(is_learnt, rows)) else BEST
    return {
        "tasuki_is": what if rows else None,
        "over_native_geomean": mean,
        "over_native_max": max(ratios, default=None),
        "host_over_tasuki_geomean": 1 / mean if mean else None,
        "worst_over_host": max(ratios, default=None),
        "certain_over_native_max": max(certain, default=None),
        "worst": worst,
        "collectives": {
            name: {"over_native_geomean": geometric_mean(own), "over_native_max": max(own)}
            for name, own in by_collective.items()
        },
    }
