"""The tables and the picture of `tasuki bench collective`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.table import Table

from tasuki.bench.support import times_report
from tasuki.bench.support.collective_summary import rows_of_tasuki
from tasuki.bench.support.report import load_text
from tasuki.output import console
from tasuki.sizes import size_text

Rows = Sequence[dict[str, Any]]


def collectives_of(rows: Rows) -> list[str]:
    return list(dict.fromkeys(row["collective"] for row in rows))


def print_tables(results: dict[str, Any]) -> None:
    """Of one collective a table with all algorithms for each host and number of ranks, of several
    one with what Tasuki is; then what they say together."""
    names = collectives_of(results["rows"])
    for mpi in results["mpi"]:
        for ranks in results["ranks"]:
            rows = [r for r in results["rows"] if (r["mpi"], r["ranks"]) == (mpi, ranks)]
            title = f"{mpi} {results['machine']['mpi_versions'][mpi]}, {ranks} ranks"
            if rows and len(names) == 1:
                times_report.print_table(f"{names[0]}, {title}", rows)
            elif chosen := rows_of_tasuki(rows):
                times_report.print_table(f"Tasuki, {title}", chosen, "collective")
            else:
                times_report.print_table(f"The host's own, {title}", rows, "collective")
    times_report.print_skipped(results["summary"]["skipped"])
    print_left_out(results)
    if results["rows"]:
        console.print(f"{times_report.LEGEND_OF_CELLS}. ({load_text()})", highlight=False)
    print_summary(results)


def print_left_out(results: dict[str, Any]) -> None:
    for mpi in results["mpi"]:
        left = [row["collective"] for row in results["summary"]["left_out"] if row["mpi"] == mpi]
        if left:
            console.print(
                f"{mpi}: left out, because Tasuki does not know them: {', '.join(left)}",
                highlight=False,
            )


def print_summary(results: dict[str, Any]) -> None:
    of_host = {mpi: results["summary"][mpi] for mpi in results["mpi"]}
    timed = {mpi: told for mpi, told in of_host.items() if told["worst"] is not None}
    table = Table(title="Tasuki's time over the host's own")
    for name in ("MPI", "collective"):
        table.add_column(name)
    for name in ("geometric mean", "greatest"):
        table.add_column(name, justify="right")
    for mpi, told in timed.items():
        for name, own in told["collectives"].items():
            mean, most = own["over_native_geomean"], own["over_native_max"]
            table.add_row(mpi, name, f"{mean:.3f}", f"{most:.3f}")
        mean, worst = told["over_native_geomean"], told["worst"]
        where = f"{worst['collective']}, {worst['ranks']} ranks, {size_text(worst['bytes'])}"
        table.add_row(mpi, "all", f"{mean:.3f}", f"{told['over_native_max']:.3f} ({where})")
        table.add_section()
    if timed:
        console.print(table)
    for mpi, told in timed.items():
        text = f"{mpi}: Tasuki is {told['tasuki_is']}"
        if (certain := told["certain_over_native_max"]) is not None:
            text += f"; beyond noise it takes at most {certain:.3f} of the host's time"
        console.print(f"{text}.", highlight=False)
    if busy := results["machine"]["busy_processes"]:
        console.print(f"Measured beside {busy} busy processes.", highlight=False)


def draw(results: dict[str, Any], file: Path) -> None:
    """Times over sizes: a line of panels for each collective, a column for each host and number of
    ranks."""
    rows, versions = results["rows"], results["machine"]["mpi_versions"]
    columns = [(mpi, ranks) for mpi in results["mpi"] for ranks in results["ranks"]]
    lines = [
        [
            times_report.Panel(
                f"{name}: {mpi} {versions[mpi]}, {ranks} ranks",
                [r for r in rows if (r["collective"], r["mpi"], r["ranks"]) == (name, mpi, ranks)],
            )
            for mpi, ranks in columns
        ]
        for name in collectives_of(rows)
    ]
    times_report.draw(lines, "bytes of a block, or of the vector or message", "median time", file)
