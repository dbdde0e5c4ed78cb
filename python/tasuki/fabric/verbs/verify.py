"""`tasuki fabric verify`: what a subnet manager really programmed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from tasuki.fabric.forwarding import fit_to_fabric, read_dump
from tasuki.fabric.opensm.comparison import KINDS, compare, read_log
from tasuki.fabric.source import load_fabric
from tasuki.fabric.text_file import read_text
from tasuki.fabric.verbs.common import JsonOption, errors_for_people
from tasuki.output import FAILED, console, wrote_to_screen

EXAMPLE = (
    "Example: dump_lfts > after.txt; tasuki fabric verify --meant lfts.txt --programmed "
    "after.txt --log opensm.log"
)


def verify(
    meant: Annotated[Path, typer.Option(help="The tables that OpenSM was given.")],
    programmed: Annotated[Path, typer.Option(help="What dump_lfts printed afterwards.")],
    log: Annotated[Path | None, typer.Option(help="OpenSM's log of that run.")] = None,
    fabric: Annotated[
        str | None, typer.Option("--fabric", help="Also check the plan against this fabric.")
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """Compares every entry that a subnet manager programmed with what was meant."""
    with errors_for_people():
        plan, actual = read_dump(meant), read_dump(programmed)
        if fabric is not None:
            fit_to_fabric(plan, load_fabric(fabric))
        differences = compare(plan, actual)
        if log is not None:
            differences = read_log(read_text(log, "OpenSM's log")) + differences
    counts = {kind: sum(d.kind == kind for d in differences) for kind in KINDS}
    entries = sum(len(table) for table in plan.entries.values())
    document = {
        "as_meant": not differences,
        "entries": entries,
        "counts": counts,
        "findings": [vars(difference) for difference in differences],
    }
    if not wrote_to_screen(document, json_file):
        _print_differences(document, entries)
    if differences:
        raise typer.Exit(FAILED)


def _print_differences(document: dict[str, Any], entries: int) -> None:
    if document["as_meant"]:
        console.print(
            f"all {entries} entries are programmed as meant", highlight=False, soft_wrap=True
        )
        return
    table = Table(title="not as meant")
    for heading in ("kind", "count", "meaning", "first"):
        table.add_column(heading, overflow="fold")
    for kind, count in document["counts"].items():
        if count:
            first = next(d["message"] for d in document["findings"] if d["kind"] == kind)
            table.add_row(kind, str(count), KINDS[kind], first)
    console.print(table)


def register(app: typer.Typer) -> None:
    app.command("verify", epilog=EXAMPLE)(verify)
