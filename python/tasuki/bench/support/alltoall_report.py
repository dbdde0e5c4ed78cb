"""The tables and the picture of `tasuki bench alltoall`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tasuki.bench.support import times_report
from tasuki.bench.support.prediction import print_accuracy
from tasuki.bench.support.report import load_text
from tasuki.output import console


def panels_of(results: dict[str, Any]) -> list[list[times_report.Panel]]:
    """A line for each host, in it one for each number of ranks."""
    versions = results["machine"]["mpi_versions"]
    return [
        [
            times_report.Panel(
                f"{mpi} {versions[mpi]}, {ranks} ranks",
                [r for r in results["rows"] if (r["mpi"], r["ranks"]) == (mpi, ranks)],
            )
            for ranks in results["ranks"]
        ]
        for mpi in results["mpi"]
    ]


def print_tables(results: dict[str, Any]) -> None:
    """One table for each host and rank count, then what they say together."""
    for line in panels_of(results):
        for panel in line:
            if panel.rows:
                times_report.print_table(panel.title, panel.rows)
    times_report.print_skipped(results["summary"]["skipped"])
    told = results["summary"].get("prediction")
    legend = "; ~ is what the model predicts" if told else ""
    console.print(
        f"{times_report.LEGEND_OF_CELLS}; * is the fastest{legend}.",
        highlight=False,
    )
    console.print(
        f"The host's own algorithm was fastest in "
        f"{results['summary']['cases_where_native_is_fastest']} of {results['summary']['cases']} "
        f"cases. ({load_text()})",
        highlight=False,
    )
    if told:
        print_accuracy(told)


def draw(results: dict[str, Any], file: Path) -> None:
    times_report.draw(
        panels_of(results), "bytes from each rank to each", "MPI_Alltoall, median", file
    )
