"""Tables and pictures of `tasuki bench transport`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.table import Table

from tasuki.bench.support.picture import MARKERS, finish_panels, grid_of_panels, scale_for_times
from tasuki.bench.support.report import load_text
from tasuki.output import console
from tasuki.picture import save_figure
from tasuki.sizes import duration_text, size_text

ORDERS = ("receiver first", "sender first")
OWN = "tasuki"


def ways_of(results: dict[str, Any]) -> list[str]:
    return list(dict.fromkeys(row["way"] for row in results["rows"]))


def print_tables(results: dict[str, Any]) -> None:
    """A table for each number of ranks and order, a line for each size."""
    ways = ways_of(results)
    for ranks in results["ranks"]:
        for order in ORDERS:
            table = Table(title=f"{ranks} ranks, {order}", caption=load_text())
            table.add_column("bytes", justify="right")
            for way in ways:
                table.add_column(way, justify="right")
            rows = [r for r in results["rows"] if (r["ranks"], r["order"]) == (ranks, order)]
            for size in dict.fromkeys(row["bytes"] for row in rows):
                of_size = {row["way"]: row for row in rows if row["bytes"] == size}
                cells = []
                for way in ways:
                    row = of_size[way]
                    ratio = "" if way == OWN else f" x{row['tasuki_over']:.2f}"
                    time = duration_text(row["median_seconds"])
                    cells.append(f"{time} ±{row['spread']:.0%}{ratio}")
                table.add_row(size_text(size), *cells)
            console.print(table)
    console.print("x: Tasuki's time over this one's, the median of the rounds", highlight=False)
    found = results["summary"]
    for name, most in found["wanted_at_most"].items():
        if found[name] is not None:
            verdict = "holds" if found["holds"][name] else "does not hold"
            console.print(f"{name}: {found[name]:.3f}; wanted at most {most:.2f}: {verdict}")


def draw(results: dict[str, Any], file: Path) -> None:
    """Times over sizes, a panel for each order and number of ranks."""
    figure, panels = grid_of_panels(len(ORDERS), len(results["ranks"]))
    for line, order in enumerate(ORDERS):
        for column, ranks in enumerate(results["ranks"]):
            panel = panels[line][column]
            for number, way in enumerate(ways_of(results)):
                key = (ranks, order, way)
                rows = [r for r in results["rows"] if (r["ranks"], r["order"], r["way"]) == key]
                panel.plot(
                    [row["bytes"] for row in rows],
                    [row["median_seconds"] for row in rows],
                    label=way,
                    marker=MARKERS[number % len(MARKERS)],
                    linewidth=3 if way == OWN else 1.2,
                    linestyle=":" if way == "floor" else "-",
                )
            scale_for_times(panel, f"{order}, {ranks} ranks")
    finish_panels(figure, panels, "bytes of a message", "median time")
    save_figure(figure, file)
