"""The tables and the picture of `tasuki bench reduce`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.table import Table

from tasuki.bench.support import times_report
from tasuki.bench.support.collective_report import collectives_of, print_left_out
from tasuki.bench.support.report import load_text
from tasuki.output import console

FIGURES = {
    "placement_over_off_geomean": "placement / off",
    "exact_over_off_geomean": "exact / off",
    "exact_over_off_large_geomean": "exact / off, from 64 KiB",
    "off_over_native_geomean": "off / native",
    "placement_over_native_geomean": "placement / native",
    "exact_over_native_geomean": "exact / native",
    "reproducible_native_over_native_geomean": "native, reproducible / native",
}
"""Keys of the summary, and what they are called in the table."""


def panels_of(results: dict[str, Any]) -> list[list[times_report.Panel]]:
    """A line for each collective, in it one for each host and number of ranks."""
    rows = [row | {"algorithm": row["mode"]} for row in results["rows"]]
    versions = results["machine"]["mpi_versions"]
    return [
        [
            times_report.Panel(
                f"{name}: {mpi} {versions[mpi]}, {ranks} ranks",
                [r for r in rows if (r["collective"], r["mpi"], r["ranks"]) == (name, mpi, ranks)],
            )
            for mpi in results["mpi"]
            for ranks in results["ranks"]
        ]
        for name in collectives_of(rows)
    ]


def print_tables(results: dict[str, Any]) -> None:
    """One table for each collective, host and number of ranks, then what they say together."""
    for line in panels_of(results):
        for panel in line:
            if panel.rows:
                times_report.print_table(panel.title, panel.rows)
    found = results["summary"]
    times_report.print_skipped(found["skipped"])
    print_left_out(results)
    if results["rows"]:
        console.print(f"{times_report.LEGEND_OF_CELLS}. ({load_text()})", highlight=False)
    table = Table(title="Geometric means of the times' ratios")
    table.add_column("")
    for name in [*results["mpi"], "all"]:
        table.add_column(name, justify="right")
    for key, text in FIGURES.items():
        told = [*(found[mpi][key] for mpi in results["mpi"]), found[key]]
        table.add_row(text, *("-" if ratio is None else f"{ratio:.3f}" for ratio in told))
    console.print(table)
    console.print(
        f"An exact sum on one rank takes {found['local_exact_over_plain']:.2f} times as long as a "
        "plain loop, at worst, from 10^4 doubles on.",
        highlight=False,
    )


def draw(results: dict[str, Any], file: Path) -> None:
    times_report.draw(panels_of(results), "bytes of the vector or block", "median time", file)
