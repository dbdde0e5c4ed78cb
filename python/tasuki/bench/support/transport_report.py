"""Tables and pictures of `tasuki bench transport`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.table import Table

from tasuki.bench.support.picture import (
    MARKERS,
    finish_panels,
    grid_of_panels,
    scale_for_rates,
    scale_for_times,
)
from tasuki.bench.support.report import load_text
from tasuki.output import console
from tasuki.picture import save_figure
from tasuki.sizes import duration_text, size_text

STREAM = "stream"
"""A window of messages one way, and an answer: what counts is bytes a second."""
ORDERS = ("receiver first", "sender first", STREAM)
OWN = "tasuki"


def ways_of(results: dict[str, Any]) -> list[str]:
    return list(dict.fromkeys(row["way"] for row in results["rows"]))


def print_tables(results: dict[str, Any]) -> None:
    """A table for each number of ranks and order, a line for each size."""
    ways = ways_of(results)
    for ranks in results["ranks"]:
        for order in ORDERS:
            table = Table(title=f"{ranks} ranks, {order}", caption=load_text())
            for name in ("bytes", *ways, "copies"):
                table.add_column(name, justify="right")
            rows = [r for r in results["rows"] if (r["ranks"], r["order"]) == (ranks, order)]
            for size in dict.fromkeys(row["bytes"] for row in rows):
                of_size = {row["way"]: row for row in rows if row["bytes"] == size}
                cells = [cell(of_size[way]) for way in ways]
                copies = of_size[OWN]["copies_per_byte"]
                cells.append("" if copies is None else f"{copies:.3g}")
                table.add_row(size_text(size), *cells)
            console.print(table)
    console.print("x: Tasuki's time over this one's, the median of the rounds", highlight=False)
    console.print("copies: of a byte that Tasuki carries", highlight=False)
    found = results["summary"]
    for name, most in found["wanted_at_most"].items():
        if found[name] is not None:
            verdict = "holds" if found["holds"][name] else "does not hold"
            console.print(f"{name}: {found[name]:.3f}; wanted at most {most:.2f}: {verdict}")


def cell(row: dict[str, Any]) -> str:
    """Time or rate, spread, and the ratio to others."""
    rate = row["gigabytes_per_second"]
    what = duration_text(row["median_seconds"]) if rate is None else f"{rate:.3g} GB/s"
    ratio = "" if row["way"] == OWN else f" x{row['tasuki_over']:.2f}"
    return f"{what} ±{row['spread']:.0%}{ratio}"


def draw(results: dict[str, Any], file: Path) -> None:
    """Times, and rates of streams, over sizes; a panel for each order and number of ranks."""
    figure, panels = grid_of_panels(len(ORDERS), len(results["ranks"]), share_scale="row")
    for line, order in enumerate(ORDERS):
        shown = "gigabytes_per_second" if order == STREAM else "median_seconds"
        scale = scale_for_rates if order == STREAM else scale_for_times
        for column, ranks in enumerate(results["ranks"]):
            panel = panels[line][column]
            for number, way in enumerate(ways_of(results)):
                key = (ranks, order, way)
                rows = [r for r in results["rows"] if (r["ranks"], r["order"], r["way"]) == key]
                panel.plot(
                    [row["bytes"] for row in rows],
                    [row[shown] for row in rows],
                    label=way,
                    marker=MARKERS[number % len(MARKERS)],
                    linewidth=3 if way == OWN else 1.2,
                    linestyle=":" if way == "floor" else "-",
                )
            scale(panel, f"{order}, {ranks} ranks")
    finish_panels(figure, panels, "bytes of a message", "median time")
    panels[ORDERS.index(STREAM)][0].set_ylabel("GB/s")
    save_figure(figure, file)
