"""What the times of reductions say of the modes of reproducibility."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tasuki.bench.support.collective_runs import NATIVE
from tasuki.bench.support.ratios import geometric_mean

OFF, PLACEMENT, EXACT = MODES = ("off", "placement", "exact")
SETTING = "native, reproducible"
"""The host's own with the setting that comes closest to `placement`."""
LARGE_BYTES = 64 << 10

Rows = Sequence[dict[str, Any]]


def rows_of_modes(rows: Rows, by_setting: Rows) -> list[dict[str, Any]]:
    """The rows of the runs with their modes, and the ratio of each to `off` in the same cell (host,
    ranks, collective and size), null where that was not timed."""
    cells: dict[tuple[Any, ...], dict[str, dict[str, Any]]] = {}
    for row in [*rows, *by_setting]:
        key = (row["mpi"], row["ranks"], row["collective"], row["bytes"])
        mode = row["algorithm"].partition("/")[0]
        cells.setdefault(key, {})[mode] = row
    found = []
    for (mpi, ranks, collective, size), cell in cells.items():
        for mode, row in cell.items():
            seconds = row["median_seconds"]
            found.append(
                {
                    "mpi": mpi,
                    "ranks": ranks,
                    "collective": collective,
                    "bytes": size,
                    "mode": mode,
                    "ran": row["ran"],
                    "median_seconds": seconds,
                    "spread": row["spread"],
                    "ratio_to_native": _over(seconds, cell.get(NATIVE)),
                    "ratio_to_off": _over(seconds, cell.get(OFF)),
                }
            )
    return found


def _over(seconds: float, other: dict[str, Any] | None) -> float | None:
    return seconds / other["median_seconds"] if other else None


def summary(rows: Rows, hosts: Sequence[str], local: float) -> dict[str, Any]:
    """Over all hosts, and by host. `local`: the time of an exact sum on one rank over that of a
    plain loop, which no host has a part in."""
    by_host = {host: _of([row for row in rows if row["mpi"] == host], local) for host in hosts}
    return _of(rows, local) | by_host


def _of(rows: Rows, local: float) -> dict[str, Any]:
    large = [row for row in rows if row["bytes"] >= LARGE_BYTES]
    return {
        "placement_over_off_geomean": _mean(rows, PLACEMENT, "ratio_to_off"),
        "exact_over_off_geomean": _mean(rows, EXACT, "ratio_to_off"),
        "exact_over_off_large_geomean": _mean(large, EXACT, "ratio_to_off"),
        "local_exact_over_plain": local,
        **{f"{mode}_over_native_geomean": _mean(rows, mode, "ratio_to_native") for mode in MODES},
        "reproducible_native_over_native_geomean": _mean(rows, SETTING, "ratio_to_native"),
    }


def _mean(rows: Rows, mode: str, ratio: str) -> float | None:
    ratios = [row[ratio] for row in rows if row["mode"] == mode and row[ratio] is not None]
    return geometric_mean(ratios) if ratios else None
