"""`tasuki decisions`: what earlier runs have learnt and kept."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Column, Table

from tasuki.decision_export import FORMATS
from tasuki.decision_export import export as export_decisions
from tasuki.decision_files import decision_files, read_book, readable_books, remove
from tasuki.decision_reasons import reason
from tasuki.hosts import host_named
from tasuki.native import core
from tasuki.output import (
    FAILED,
    check_json,
    console,
    fail,
    notes,
    write_file,
    wrote_to_screen,
)
from tasuki.sizes import MOST_RANKS, duration_text, parse_size, size_text

decisions_app = typer.Typer(no_args_is_help=True, help="What earlier runs have learnt and kept.")

FileOption = Annotated[
    Path | None,
    typer.Option("--file", help="A file of decisions. Default: all files of the cache directory."),
]
JsonOption = Annotated[
    Path | None,
    typer.Option("--json", callback=check_json, help="Write the result as JSON; - is the screen."),
]
SizeOption = Annotated[
    str | None, typer.Option(help="Only keys that calls of this size belong to, such as 64 or 5K.")
]
RanksOption = Annotated[
    int | None, typer.Option(min=1, max=MOST_RANKS, help="Only keys of so many ranks.")
]
CollectiveOption = Annotated[
    str | None, typer.Option(help="Only keys of this collective, as `decisions show` names it.")
]
PlacementOption = Annotated[
    str | None, typer.Option(help="Only keys of this placement, as `decisions show` names it.")
]


def register(app: typer.Typer) -> None:
    app.add_typer(decisions_app, name="decisions")


@decisions_app.command("show", epilog="Example: tasuki decisions show --ranks 32")
def show(
    file: FileOption = None,
    size: SizeOption = None,
    ranks: RanksOption = None,
    collective: CollectiveOption = None,
    placement: PlacementOption = None,
    json: JsonOption = None,
) -> None:
    """List the decisions: for each key the winner, its margin and what it saved."""
    wanted = Wanted.of(size, ranks, collective, placement)
    with readable_books(file) as books:
        for book in books:
            book["decisions"] = wanted.of_rows(book["decisions"])
        if not wrote_to_screen(books, json):
            _print_books(books)


def _print_books(books: list[dict[str, Any]]) -> None:
    for book in books:
        table = Table(
            title=f"{book['fingerprint']} ({book['file']})",
            caption=f"parameters of predictions: {book['parameters'] or 'not told'}",
        )
        for column in ("collective", "bytes", "ranks", "placement", "winner", "margin", "calls"):
            table.add_column(column, overflow="fold")
        table.add_column("saved")
        for row in book["decisions"]:
            table.add_row(
                row["collective"],
                size_text(row["bytes"]),
                str(row["ranks"]) + (" (oversubscribed)" if row["oversubscribed"] else ""),
                row["placement"],
                row["winner"],
                f"{100 * row['margin']:.0f} %",
                str(row["calls"]),
                _signed(row["saved_seconds"]),
            )
        console.print(table)


@decisions_app.command("explain", epilog="Example: tasuki decisions explain --size 4K --ranks 32")
def explain(
    file: FileOption = None,
    size: SizeOption = None,
    ranks: RanksOption = None,
    collective: CollectiveOption = None,
    placement: PlacementOption = None,
    json: JsonOption = None,
) -> None:
    """Say for each key what was predicted, measured, cut and why, and what it saved."""
    wanted = Wanted.of(size, ranks, collective, placement)
    with readable_books(file) as books:
        rows = [row for book in books for row in wanted.of_rows(book["decisions"])]
        if not rows:
            fail(_no_key_fits(books), FAILED)
        for row in rows:
            for candidate in row["candidates"]:
                candidate["reason"] = reason(candidate, row)
        if not wrote_to_screen(rows, json):
            _print_explanations(rows)


def _print_explanations(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        console.print(_explanation(row))
        for sentence in _sentences(row):
            console.print(f"  {sentence}", highlight=False)


@decisions_app.command("diff", epilog="Example: tasuki decisions diff monday.dec friday.dec")
def diff(
    first: Annotated[Path, typer.Argument(help="A file of decisions.")],
    second: Annotated[Path, typer.Argument(help="Another one.")],
    json: JsonOption = None,
) -> None:
    """Compare two files: keys that only one has, and keys whose winner differs."""
    try:
        old, new = (
            {row["key"]: row for row in read_book(path)["decisions"]} for path in (first, second)
        )
    except ValueError as error:
        fail(str(error), FAILED)
    rows = []
    for key in sorted(old.keys() | new.keys()):
        before = old.get(key, {}).get("winner")
        after = new.get(key, {}).get("winner")
        if before != after:
            rows.append({"key": key, "first": before, "second": after})
    if wrote_to_screen(rows, json):
        return
    if not rows:
        console.print("the same keys with the same winners")
        return
    table = Table(*(Column(name, overflow="fold") for name in ("key", str(first), str(second))))
    for row in rows:
        table.add_row(row["key"], row["first"] or "-", row["second"] or "-")
    console.print(table)


@decisions_app.command("forget", epilog="Example: tasuki decisions forget --size 4K")
def forget(
    file: FileOption = None,
    size: SizeOption = None,
    ranks: RanksOption = None,
    collective: CollectiveOption = None,
    placement: PlacementOption = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Remove the files whole, readable or not.")
    ] = False,
) -> None:
    """Forget keys, or everything; the next run learns them anew."""
    wanted = Wanted.of(size, ranks, collective, placement)
    if everything:
        if wanted != Wanted():
            fail("--all removes whole files; leave it out to forget only these keys")
        remove(decision_files(file))
        return
    if wanted == Wanted():
        fail("say which keys (--size, --ranks, --collective, --placement), or --all")
    with readable_books(file) as books:
        if not any(wanted.of_rows(book["decisions"]) for book in books):
            fail(_no_key_fits(books), FAILED)
        for book in books:
            keys = [row["key"] for row in wanted.of_rows(book["decisions"])]
            if keys and (message := core().forget_decisions(book["file"], keys)):
                fail(message, FAILED)
            console.print(f"{book['file']}: forgot {len(keys)} keys", highlight=False)


@decisions_app.command(
    "export", epilog="Example: tasuki decisions export openmpi --ranks 32 > rules.conf"
)
def export(
    form: Annotated[str, typer.Argument(metavar="FORMAT", help="openmpi, mpich or intel.")],
    file: FileOption = None,
    ranks: RanksOption = None,
    collective: CollectiveOption = None,
    placement: PlacementOption = None,
    mpi: Annotated[
        str, typer.Option(help="mpich: the MPICH that is to read it, as `tasuki doctor` names it.")
    ] = "mpich",
    out: Annotated[Path | None, typer.Option(help="Write to this file.")] = None,
) -> None:
    """Write what was learnt as the host's own settings, to keep part of the gain without Tasuki.

    openmpi: a file for --mca coll_tuned_dynamic_rules_filename (with
    coll_tuned_use_dynamic_rules 1). mpich: a file for MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE.
    intel: I_MPI_ADJUST_ALLTOALL and the like. What the host has nothing for is left to it, and told
    on standard error. Decisions of other MPIs are left out, unless --file names them.
    """
    if form not in FORMATS:
        fail(f'no format "{form}"; choose one of {", ".join(FORMATS)}')
    with readable_books(file) as books:
        theirs = [
            book
            for book in books
            if file is not None or book["fingerprint"].startswith(FORMATS[form])
        ]
        wanted = Wanted.of(None, ranks, collective, placement)
        rows = [row for book in theirs for row in wanted.of_rows(book["decisions"])]
        _export(form, rows, mpi, out)


def _export(form: str, rows: list[dict[str, Any]], mpi: str, out: Path | None) -> None:
    try:
        library = host_named(mpi).library if form == "mpich" else None
        exported = export_decisions(form, rows, library)
    except (LookupError, ValueError, OSError) as error:
        fail(str(error.args[0]), FAILED)
    for row, why in exported.left_out:
        notes.print(f"left to the host: {row['key']}: {why}", highlight=False)
    if not exported.text:
        fail("there is no decision that the host has an algorithm for", FAILED)
    if out is None:
        typer.echo(exported.text, nl=False)
    else:
        write_file(out, exported.text)


@dataclass(frozen=True)
class Wanted:
    """Which keys a command is about; None is any."""

    bytes: int | None = None
    """As keys have it: the least that falls into their bucket."""
    ranks: int | None = None
    collective: str | None = None
    placement: str | None = None

    @staticmethod
    def of(
        size: str | None, ranks: int | None, collective: str | None, placement: str | None
    ) -> Wanted:
        """Ends the command if `size` is none."""
        try:
            bucket = None if size is None else core().size_bucket(parse_size(size))
        except ValueError as error:
            fail(str(error))
        return Wanted(bucket, ranks, collective, placement)

    def of_rows(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        wanted = {name: value for name, value in asdict(self).items() if value is not None}
        return [row for row in rows if all(row[name] == wanted[name] for name in wanted)]


def _no_key_fits(books: list[dict[str, Any]]) -> str:
    kept = {row["collective"] for book in books for row in book["decisions"]}
    return (
        f"no key fits. There are keys of {', '.join(sorted(kept)) or 'nothing'}; "
        "`tasuki decisions show` lists them"
    )


def _time(seconds: float | None) -> str:
    return "-" if seconds is None else duration_text(seconds)


def _signed(seconds: float) -> str:
    return ("-" if seconds < 0 else "") + duration_text(abs(seconds))


def _explanation(row: dict[str, Any]) -> Table:
    table = Table(
        Column("candidate", overflow="fold"),
        "predicted",
        "measured",
        "samples",
        "",
        title=row["key"],
    )
    for candidate in sorted(
        row["candidates"], key=lambda c: (c["measured"] is None, c["measured"] or 0)
    ):
        table.add_row(
            candidate["name"],
            _time(candidate["predicted"]),
            _time(candidate["measured"]),
            str(candidate["samples"]),
            candidate["reason"],
            style="bold" if candidate["fate"] == "winner" else None,
        )
    return table


def _lead(margin: float) -> str:
    if margin >= 0:
        return f", {100 * margin:.1f} % ahead of the next"
    # Learning was not through: what looks better is not measured in full, or not clearly better.
    return f"; another took {-100 * margin:.1f} % less in the calls that were measured so far"


def _sentences(row: dict[str, Any]) -> list[str]:
    sentences = [
        f"{row['winner']} is in use since call {row['switched_at']}{_lead(row['margin'])}.",
        f"In {row['calls']} calls it saved {_signed(row['saved_seconds'])} against the host's own; "
        f"learning cost {duration_text(row['learning_seconds'])}.",
    ]
    if row["break_even_calls"] is not None:
        sentences.append(f"Learning has paid for itself after {row['break_even_calls']:.0f} calls.")
    if row["relearnings"] or row["common_drifts"]:
        sentences.append(
            f"It was learnt again {row['relearnings']} times; {row['common_drifts']} times "
            "everything changed alike."
        )
    return sentences
