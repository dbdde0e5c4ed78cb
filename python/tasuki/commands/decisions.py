"""`tasuki decisions`: what earlier runs have learnt and kept."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from tasuki.decision_export import FORMATS
from tasuki.decision_export import export as export_decisions
from tasuki.hosts import host_named
from tasuki.native import core
from tasuki.output import FAILED, console, fail, notes, wrote_to_screen
from tasuki.sizes import duration_text, parse_size, size_text

decisions_app = typer.Typer(no_args_is_help=True, help="What earlier runs have learnt and kept.")

FileOption = Annotated[
    Path | None,
    typer.Option("--file", help="A file of decisions. Default: all files of the cache directory."),
]
JsonOption = Annotated[
    Path | None, typer.Option("--json", help="Write the result as JSON; - is the screen.")
]
SizeOption = Annotated[str | None, typer.Option(help="Only keys of this size, such as 64 or 4K.")]
RanksOption = Annotated[int | None, typer.Option(help="Only keys of so many ranks.")]

FATES = {
    "waiting": "not measured yet",
    "winner": "in use",
    "slower": "measured in full, slower",
    "hopeless": "given up after the first look",
    "predicted": "cut by prediction, never measured in full",
    "failed": "did not run when it was asked to",
}


def register(app: typer.Typer) -> None:
    app.add_typer(decisions_app, name="decisions")


@decisions_app.command("show", epilog="Example: tasuki decisions show --ranks 32")
def show(
    file: FileOption = None,
    size: SizeOption = None,
    ranks: RanksOption = None,
    json: JsonOption = None,
) -> None:
    """List the decisions: for each key the winner, its margin and what it saved."""
    books = _books(file)
    for book in books:
        book["decisions"] = _chosen(book["decisions"], size, ranks)
    if wrote_to_screen(books, json):
        return
    for book in books:
        table = Table(title=f"{book['fingerprint']} ({book['file']})")
        for column in ("collective", "bytes", "ranks", "placement", "winner", "margin", "calls"):
            table.add_column(column)
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
    json: JsonOption = None,
) -> None:
    """Say for each key what was predicted, measured, cut and why, and what it saved."""
    rows = [row for book in _books(file) for row in _chosen(book["decisions"], size, ranks)]
    if not rows:
        fail("no key fits; see `tasuki decisions show`", FAILED)
    if wrote_to_screen(rows, json):
        return
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
    old, new = ({row["key"]: row for row in _read(path)["decisions"]} for path in (first, second))
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
    table = Table("key", str(first), str(second))
    for row in rows:
        table.add_row(row["key"], row["first"] or "-", row["second"] or "-")
    console.print(table)


@decisions_app.command("forget", epilog="Example: tasuki decisions forget --size 4K")
def forget(
    file: FileOption = None,
    size: SizeOption = None,
    ranks: RanksOption = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Remove the files whole, readable or not.")
    ] = False,
) -> None:
    """Forget keys, or everything; the next run learns them anew."""
    if everything:
        for path in _files(file):
            path.unlink()
            console.print(f"removed {path}", highlight=False)
        return
    if size is None and ranks is None:
        fail("say which keys (--size, --ranks), or --all")
    for book in _books(file):
        keys = [row["key"] for row in _chosen(book["decisions"], size, ranks)]
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
    books = [
        book
        for book in _books(file)
        if file is not None or book["fingerprint"].startswith(FORMATS[form])
    ]
    rows = [row for book in books for row in _chosen(book["decisions"], None, ranks)]
    try:
        library = host_named(mpi).library if form == "mpich" else None
        exported = export_decisions(form, rows, library)
    except (LookupError, ValueError, OSError) as error:
        fail(str(error.args[0]), FAILED)
    for row, reason in exported.left_out:
        notes.print(f"left to the host: {row['key']}: {reason}", highlight=False, markup=False)
    if not exported.text:
        fail("there is no decision that the host has an algorithm for", FAILED)
    if out is None:
        typer.echo(exported.text, nl=False)
    else:
        out.write_text(exported.text)


def _files(file: Path | None) -> list[Path]:
    if file is not None:
        if not file.exists():
            fail(f"{file} is not there")
        return [file]
    directory = Path(core().cache_directory() or ".")
    files = [p for p in sorted(directory.glob("decisions-*")) if p.suffix not in (".lock", ".new")]
    if not files:
        fail(f"no decisions are kept in {directory}; runs under `tasuki run` leave them", FAILED)
    return files


def _read(path: Path) -> dict[str, Any]:
    try:
        book = core().read_decisions(path.read_text(errors="replace"))
    except ValueError as error:
        fail(f"{path}: {error}. `tasuki decisions forget --all --file {path}` removes it", FAILED)
    except OSError as error:
        fail(f"{path} cannot be read: {error.strerror}", FAILED)
    return {"file": str(path), **book}


def _books(file: Path | None) -> list[dict[str, Any]]:
    return [_read(path) for path in _files(file)]


def _chosen(
    rows: list[dict[str, Any]], size: str | None, ranks: int | None
) -> list[dict[str, Any]]:
    try:
        wanted = None if size is None else parse_size(size)
    except ValueError as error:
        fail(str(error))
    return [
        row
        for row in rows
        if (wanted is None or row["bytes"] == wanted) and (ranks is None or row["ranks"] == ranks)
    ]


def _time(seconds: float | None) -> str:
    return "-" if seconds is None else duration_text(seconds)


def _signed(seconds: float) -> str:
    return ("-" if seconds < 0 else "") + duration_text(abs(seconds))


def _explanation(row: dict[str, Any]) -> Table:
    table = Table("candidate", "predicted", "measured", "samples", "", title=row["key"])
    for candidate in sorted(
        row["candidates"], key=lambda c: (c["measured"] is None, c["measured"] or 0)
    ):
        table.add_row(
            candidate["name"],
            _time(candidate["predicted"]),
            _time(candidate["measured"]),
            str(candidate["samples"]),
            FATES[candidate["fate"]],
            style="bold" if candidate["fate"] == "winner" else None,
        )
    return table


def _sentences(row: dict[str, Any]) -> list[str]:
    sentences = [
        f"{row['winner']} is in use since call {row['switched_at']}, "
        f"{100 * row['margin']:.1f} % ahead of the next.",
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
