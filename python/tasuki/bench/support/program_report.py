"""The table and the picture of `tasuki bench program`."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.table import Table

from tasuki.bench.support.program_runs import WITHOUT
from tasuki.bench.support.report import load_text
from tasuki.output import console
from tasuki.picture import new_figure, save_figure
from tasuki.sizes import duration_text

TITLE_WIDTH = 90


def summary(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """By way: its time over that without Tasuki, and what that says."""
    return {
        row["way"]: {"ratio_to_native": row["ratio_to_native"], "verdict": row["verdict"]}
        for row in rows
        if row["way"] != WITHOUT
    }


def print_table(results: dict[str, Any]) -> None:
    table = Table(title=" ".join(results["command"]), caption=load_text())
    table.add_column("", no_wrap=True)
    for name in ("median", "fastest", "slowest", "ratio", "cores used here", "lines that differ"):
        table.add_column(name, justify="right")
    for row in results["rows"]:
        table.add_row(
            row["way"],
            *(duration_text(row[f"{which}_seconds"]) for which in ("median", "fastest", "slowest")),
            f"{row['ratio_to_native']:.2f}",
            f"{row['processor_seconds'] / row['median_seconds']:.1f}",
            f"{row['differing_lines']} of {row['lines']}",
        )
    console.print(table)
    for row in results["rows"]:
        if row["verdict"]:
            console.print(f"{row['way']}: {row['verdict']} (x{row['ratio_to_native']:.2f})")


def draw(results: dict[str, Any], file: Path) -> None:
    """A line of dots for each way: one of each run, and a stroke for the median."""
    rows = results["rows"]
    figure = new_figure(7.0, 0.8 + 0.5 * len(rows))
    panel = figure.subplots()
    for at, row in enumerate(rows):
        panel.plot(row["seconds"], [at] * len(row["seconds"]), "o", alpha=0.6)
        panel.plot([row["median_seconds"]], [at], "|", color="black", markersize=20)
    panel.set_yticks(range(len(rows)), [row["way"] for row in rows])
    panel.set_ylim(len(rows) - 0.5, -0.5)
    panel.set_xlim(left=0)
    panel.set_xlabel("seconds of a run")
    title = textwrap.fill(" ".join(results["command"]), TITLE_WIDTH)
    panel.set_title(title, fontsize="small", parse_math=False)
    panel.grid(axis="x", alpha=0.3)
    save_figure(figure, file)
