"""The files that runs keep decisions in: those of the cache directory, or one that is named."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer

from tasuki.cache import cache_folder, files_in_cache
from tasuki.native import core
from tasuki.output import FAILED, console, fail, notes

KEPT = "decisions-"
"""How the names of files begin that runs keep in the cache directory."""
BEGINNING = "tasuki-decisions "
"""Of the text of such a file."""


def decision_files(file: Path | None) -> list[Path]:
    """All that are kept, or `file`; ends the command if there are none."""
    if file is not None:
        if not os.path.exists(file):
            fail(f"{file} is not there")
        return [file]
    files = [path for path in files_in_cache(KEPT) if path.suffix not in (".lock", ".new")]
    if not files:
        fail(
            f"no decisions are kept in {cache_folder()}; runs under `tasuki run` leave them", FAILED
        )
    return files


def read_book(path: Path) -> dict[str, Any]:
    """ValueError says what is wrong with the file, and what to do."""
    try:
        book = core().read_decisions(path.read_text(errors="replace"))
    except ValueError as error:
        removed_by = f"tasuki decisions forget --all --file {shlex.quote(str(path))}"
        advice = f". `{removed_by}` removes it" if _is_removable(path) else ""
        raise ValueError(f"{path}: {error}{advice}") from error
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from error
    return {"file": str(path), **book}


@contextmanager
def readable_books(file: Path | None) -> Iterator[list[dict[str, Any]]]:
    """Those of the files that can be read. Of the others it is told why not, and the command goes
    on without them and ends with 1, so that a script knows that it was not told all."""
    books, is_complete = [], True
    for path in decision_files(file):
        try:
            books.append(read_book(path))
        except ValueError as error:
            is_complete = False
            notes.print(f"tasuki: {error}", style="red", highlight=False)
    if books:
        yield books
    if not is_complete:
        raise typer.Exit(FAILED)


def remove(files: list[Path]) -> None:
    """Ends the command at the first that cannot be, or that may be anything."""
    for path in files:
        if not _is_removable(path):
            fail(
                f'{path} is not removed: it does not begin with "{BEGINNING}", as files of '
                "decisions do; if it is to go, remove it by rm"
            )
        try:
            path.unlink()
        except OSError as error:
            fail(f"{path} cannot be removed: {error.strerror}", FAILED)
        console.print(f"removed {path}", highlight=False)


def _is_removable(path: Path) -> bool:
    """Whether it is a file of decisions: a damaged one, too, by its beginning, or by its place."""
    directory = core().cache_directory()
    try:
        if directory and path.name.startswith(KEPT) and path.parent.samefile(directory):
            return True
        if not path.is_file():  # to open a pipe would wait for somebody to write
            return False
        with path.open("rb") as file:
            return file.read(len(BEGINNING)) == BEGINNING.encode()
    except OSError:
        return False
