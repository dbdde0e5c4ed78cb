"""`tasuki list`: the table of algorithms."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from tasuki.native import core
from tasuki.output import check_json, console, fail, wrote_to_screen
from tasuki.schedule.reductions import LEGEND, reductions_table


def register(app: typer.Typer) -> None:
    app.command("list", epilog="Example: tasuki list alltoall")(list_algorithms)


def list_algorithms(
    collective: Annotated[
        str | None, typer.Argument(help="Only the algorithms of this collective.")
    ] = None,
    reductions: Annotated[
        bool,
        typer.Option(
            "--reductions",
            help="What is proved of the results of reductions: the same bits on all ranks, with "
            "other placements, without commutativity.",
        ),
    ] = False,
    json: Annotated[
        Path | None,
        typer.Option(
            callback=check_json,
            metavar="FILE",
            help="Write the rows as JSON to FILE, or - for the screen.",
        ),
    ] = None,
) -> None:
    """List the algorithms: what each does, what it costs, where it works, how it is tuned."""
    rows = core().reductions() if reductions else core().algorithms()
    collectives = list(dict.fromkeys(row["collective"] for row in rows))
    if collective is not None:
        if collective not in collectives:
            kind = "collective that reduces" if reductions else "collective"
            fail(f'no {kind} "{collective}"; there are {", ".join(collectives)}')
        rows = [row for row in rows if row["collective"] == collective]
    if wrote_to_screen(rows, json):
        return
    if reductions:
        console.print(reductions_table(rows))
        console.print(LEGEND, highlight=False)
    else:
        console.print(_table(rows))
        console.print(
            "native is always there too: the MPI library's own algorithm.", highlight=False
        )


def _table(rows: list[dict[str, Any]]) -> Table:
    table = Table(show_lines=True, show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column()
    for row in rows:
        table.add_row(f"{row['collective']}/{row['name']}", _description(row))
    return table


def _tried(parameter: dict[str, Any]) -> str:
    return f", tried: {', '.join(parameter['tried'])}" if parameter["tried"] else ""


def _description(row: dict[str, Any]) -> Text:
    lines = [f"cost: {row['cost']}"]
    for parameter in row["parameters"]:
        lines.append(
            f"{parameter['name']}={parameter['default']} ({parameter['minimum']} to "
            f"{parameter['maximum']}{_tried(parameter)}): {parameter['sentence']}"
        )
    if row["domain"]:
        lines.append(f"only for {', '.join(row['domain']).replace('-', ' ')}")
    lines.append(f"from {row['source']}")
    return Text.assemble(row["sentence"], ("\n" + "\n".join(lines), "dim"))
