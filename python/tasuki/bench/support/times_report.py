"""Tables and pictures of algorithms' times over sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.table import Table
from rich.text import Text

from tasuki.bench.support.picture import (
    algorithm_styles,
    finish_panels,
    grid_of_panels,
    scale_for_times,
)
from tasuki.output import console
from tasuki.picture import save_figure
from tasuki.sizes import duration_text, size_text

NAME_WIDTH, CELL_WIDTH = 24, 16
"""Columns of the screen that the tables give to an algorithm's name and to one size."""
MOST_SPREAD = 9.99
"""A greater one is not told exactly: it only says that the machine was not quiet."""
LEGEND_OF_CELLS = (
    "Each cell: median; ratio to the host's own (native) and spread (interquartile range over "
    "median)"
)

Rows = Sequence[dict[str, Any]]


def print_skipped(skipped: Rows) -> None:
    """Why algorithms were not run, once each."""
    reasons = {
        f"{row['mpi']}, {row['ranks']} ranks: {row['algorithm']} was not run: {row['reason']}"
        for row in skipped
    }
    for reason in sorted(reasons):
        console.print(reason, highlight=False)


def print_table(title: str, rows: Rows, line: str = "algorithm") -> None:
    """A line for each `line`, a column for each size, in as many parts as the screen asks for."""
    sizes = sorted({row["bytes"] for row in rows})
    at_once = max(1, (console.width - NAME_WIDTH) // CELL_WIDTH)
    for begin in range(0, len(sizes), at_once):
        console.print(table_part(title, rows, sizes[begin : begin + at_once], line))


def table_part(title: str, rows: Rows, sizes: Sequence[int], line: str) -> Table:
    """Where lines are algorithms, the fastest one is marked."""
    table = Table(title=title)
    table.add_column("bytes")
    cells: dict[str, list[Text]] = {row[line]: [] for row in rows}
    for size in sizes:
        table.add_column(size_text(size), justify="right")
        of_size = {row[line]: row for row in rows if row["bytes"] == size}
        fastest = min(of_size.values(), key=lambda row: row["median_seconds"])
        for name, told in cells.items():
            is_fastest = line == "algorithm" and of_size.get(name) is fastest
            told.append(cell(of_size.get(name), is_fastest))
    for name, told in cells.items():
        table.add_row(name, *told, style="bold" if name == "native" else None)
    return table


def cell(row: dict[str, Any] | None, is_fastest: bool) -> Text:
    """One result in two lines, and its prediction in a third."""
    if row is None:
        return Text("-")
    time = duration_text(row["median_seconds"])
    spread = f"±{row['spread']:.0%}" if row["spread"] < MOST_SPREAD else f"±>{MOST_SPREAD:.0%}"
    told = f"\nx{row['ratio_to_native']:.2f} {spread}"
    if "predicted_seconds" in row:
        told += f"\n~{duration_text(row['predicted_seconds'])}"
    return Text.assemble((f"*{time}", "bold green") if is_fastest else time, told)


@dataclass(frozen=True)
class Panel:
    title: str
    rows: Rows


def draw(
    lines: Sequence[Sequence[Panel]],
    sizes: str,
    times: str,
    file: Path,
    styles_of: Callable[[Sequence[str]], dict[str, dict[str, Any]]] = algorithm_styles,
) -> None:
    """As Figures 2 to 5 of Nanri et al. 2009: times over sizes, the host's own in bold, predictions
    as dotted lines of the same colour. What has no data is a level line."""
    figure, axes = grid_of_panels(len(lines), len(lines[0]))
    all_rows = [row for line in lines for panel in line for row in panel.rows]
    styles = styles_of(list(dict.fromkeys(row["algorithm"] for row in all_rows)))
    for panels, axes_of_line in zip(lines, axes, strict=True):
        for panel, own in zip(panels, axes_of_line, strict=True):
            for algorithm, style in styles.items():
                points = [row for row in panel.rows if row["algorithm"] == algorithm]
                if not points:
                    continue
                at = [row["bytes"] for row in points]
                seconds = [row["median_seconds"] for row in points]
                if at == [0]:
                    at, seconds = [1, 2], seconds * 2
                own.plot(at, seconds, label=algorithm, **style)
                predicted = [r["predicted_seconds"] for r in points if "predicted_seconds" in r]
                if predicted:
                    own.plot(at, predicted, color=style["color"], linestyle=":")
            scale_for_times(own, panel.title)
            if all(row["bytes"] == 0 for row in panel.rows):
                own.set_xticks([])
    finish_panels(figure, axes, sizes, times)
    save_figure(figure, file)
