"""The tables and the picture of the all-to-all benchmark."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.table import Table

from tasuki.bench.support.picture import (
    algorithm_styles,
    finish_panels,
    grid_of_panels,
    scale_for_times,
)
from tasuki.bench.support.prediction import print_accuracy
from tasuki.bench.support.report import load_text
from tasuki.output import console
from tasuki.picture import save_figure
from tasuki.sizes import duration_text, size_text

NAME_WIDTH, CELL_WIDTH = 24, 16
"""Columns of the screen that the tables give to an algorithm's name and to one size."""
MOST_SPREAD = 9.99
"""A greater one is not told exactly: it only says that the machine was not quiet."""

Rows = Sequence[dict[str, Any]]


def print_tables(results: dict[str, Any]) -> None:
    """One table for each host and rank count, then what they say together."""
    for mpi in results["mpi"]:
        for ranks in results["ranks"]:
            rows = [r for r in results["rows"] if (r["mpi"], r["ranks"]) == (mpi, ranks)]
            if rows:
                version = results["machine"]["mpi_versions"][mpi]
                print_table(f"{mpi} {version}, {ranks} ranks", rows)
    reasons = {
        f"{row['mpi']}, {row['ranks']} ranks: {row['algorithm']} was not run: {row['reason']}"
        for row in results["summary"]["skipped"]
    }
    for reason in sorted(reasons):
        console.print(reason, highlight=False)
    console.print(
        "Each cell: median; ratio to the host's own (native) and spread (interquartile range over "
        "median); * is the fastest; ~ is what the model predicts.",
        highlight=False,
    )
    console.print(
        f"The host's own algorithm was fastest in "
        f"{results['summary']['cases_where_native_is_fastest']} of {results['summary']['cases']} "
        f"cases. ({load_text()})",
        highlight=False,
    )
    if told := results["summary"].get("prediction"):
        print_accuracy(told)


def print_table(title: str, rows: Rows) -> None:
    """In as many parts as the width of the screen asks for."""
    sizes = sorted({row["bytes"] for row in rows})
    at_once = max(1, (console.width - NAME_WIDTH) // CELL_WIDTH)
    for begin in range(0, len(sizes), at_once):
        console.print(table_part(title, rows, sizes[begin : begin + at_once]))


def table_part(title: str, rows: Rows, sizes: Sequence[int]) -> Table:
    """A line for each algorithm, a column for each of `sizes`."""
    table = Table(title=title)
    table.add_column("bytes")
    cells: dict[str, list[str]] = {row["algorithm"]: [] for row in rows}
    for size in sizes:
        table.add_column(size_text(size), justify="right")
        of_size = {row["algorithm"]: row for row in rows if row["bytes"] == size}
        fastest = min(of_size.values(), key=lambda row: row["median_seconds"])
        for algorithm, line in cells.items():
            line.append(cell(of_size.get(algorithm), of_size.get(algorithm) is fastest))
    for algorithm, line in cells.items():
        table.add_row(algorithm, *line, style="bold" if algorithm == "native" else None)
    return table


def cell(row: dict[str, Any] | None, is_fastest: bool) -> str:
    """One result in two lines, and its prediction in a third."""
    if row is None:
        return "-"
    time = duration_text(row["median_seconds"])
    if is_fastest:
        time = f"[bold green]*{time}[/bold green]"
    spread = f"±{row['spread']:.0%}" if row["spread"] < MOST_SPREAD else f"±>{MOST_SPREAD:.0%}"
    told = f"{time}\nx{row['ratio_to_native']:.2f} {spread}"
    if "predicted_seconds" in row:
        told += f"\n~{duration_text(row['predicted_seconds'])}"
    return told


def draw(results: dict[str, Any], file: Path) -> None:
    """As Figures 2 to 5 of Nanri et al. 2009: times over sizes, the host's own in bold, predictions
    as dotted lines of the same colour."""
    mpis, rank_counts, rows = results["mpi"], results["ranks"], results["rows"]
    figure, panels = grid_of_panels(len(mpis), len(rank_counts))
    styles = algorithm_styles(list(dict.fromkeys(row["algorithm"] for row in rows)))
    for line, mpi in enumerate(mpis):
        for column, ranks in enumerate(rank_counts):
            panel = panels[line][column]
            for algorithm, style in styles.items():
                key = (mpi, ranks, algorithm)
                points = [r for r in rows if (r["mpi"], r["ranks"], r["algorithm"]) == key]
                sizes = [row["bytes"] for row in points]
                times = [row["median_seconds"] for row in points]
                panel.plot(sizes, times, label=algorithm, **style)
                predicted = [r["predicted_seconds"] for r in points if "predicted_seconds" in r]
                if predicted:
                    panel.plot(sizes, predicted, color=style["color"], linestyle=":")
            scale_for_times(
                panel, f"{mpi} {results['machine']['mpi_versions'][mpi]}, {ranks} ranks"
            )
    finish_panels(figure, panels, "bytes from each rank to each", "MPI_Alltoall, median")
    save_figure(figure, file)
