"""The policies of `tasuki arena` side by side: what `tasuki bench selection` does in real time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.table import Table

from tasuki.bench import selection
from tasuki.bench.support.ratios import geometric_mean
from tasuki.bench.support.selection_report import DYNAMIC, NATIVE, WARM, WITHOUT_MODEL

SECONDS_OF = {
    DYNAMIC: "dynamic_seconds",
    WITHOUT_MODEL: "without_model_seconds",
    WARM: "warm_seconds",
}
"""The ways that learn, and where a row of the arena has the seconds of all its calls."""


def ways_of(row: dict[str, Any]) -> list[dict[str, Any]]:
    """One key of the arena as `tasuki bench selection` has it: a row for each way, with ratios."""
    seconds = row["fixed_seconds"] | {way: row[key] for way, key in SECONDS_OF.items()}
    return selection.with_ratios(
        [{"way": way, "program": way, "seconds": [taken]} for way, taken in seconds.items()]
    )


def summary(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The summary keys of `tasuki bench selection` over all keys of a machine, and for each way its
    time over the best fixed candidate of the key, in the geometric mean. In virtual time each way
    runs once, so there is no uncertainty to tell."""
    ways = [way for row in rows for way in ways_of(row)]
    found: dict[str, Any] = {
        key: value
        for key, value in selection.summary(ways).items()
        if not key.startswith("certain_")
    }
    over_best: dict[str, list[float]] = {}
    for way in ways:
        over_best.setdefault(way["way"], []).append(way["ratio_to_best"])
    found["over_best_geomean"] = {way: geometric_mean(each) for way, each in over_best.items()}
    return found


def table(results: Sequence[dict[str, Any]]) -> Table:
    """Each policy's time over the best fixed candidate of each key, the fixed ones last."""
    machines = {
        f"{each['machine']} ({each['ranks']})": each["over_best_geomean"] for each in results
    }
    table = Table(title="All calls by each policy, over the best candidate of each key")
    table.add_column("policy", no_wrap=True)
    for machine in machines:
        table.add_column(machine, justify="right")
    fixed = {way for means in machines.values() for way in means} - {NATIVE, *SECONDS_OF}
    for way in (*SECONDS_OF, NATIVE, *sorted(fixed, key=lambda way: _mean(machines.values(), way))):
        cells = (f"{means[way]:.3f}" if way in means else "-" for means in machines.values())
        table.add_row(way, *cells, end_section=way == NATIVE)
    table.caption = (
        "geometric means over sizes and worlds; dynamic: learnt, with what learning cost; warm: "
        "begun with what was kept; native: the host's own; others: that one for all calls"
    )
    return table


def _mean(machines: Iterable[dict[str, float]], way: str) -> float:
    return geometric_mean([means[way] for means in machines if way in means])
