"""What every command prints with: tables for people, JSON for scripts, one form of error."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import typer
from rich.console import Console, ConsoleDimensions

LEAST_WIDTH = 60
"""Columns that tables take even where the screen tells that it has fewer, or none."""


class LineConsole(Console):
    """Fits tables to the screen, and lines only where there is one: scripts get them whole.

    What it prints is as it is: [b] and :x: in names of files are no markup.
    """

    def __init__(self, is_for_notes: bool = False) -> None:
        super().__init__(stderr=is_for_notes, markup=False, emoji=False)

    @property
    def size(self) -> ConsoleDimensions:
        told = super().size
        return ConsoleDimensions(max(LEAST_WIDTH, told.width), told.height)

    def print(self, *objects: Any, soft_wrap: bool | None = None, **options: Any) -> None:
        if soft_wrap is None and not self.is_terminal:
            soft_wrap = all(isinstance(each, str) for each in objects)
        super().print(*objects, soft_wrap=soft_wrap, **options)


console = LineConsole()
"""Standard output, for results."""
notes = LineConsole(is_for_notes=True)
"""Standard error, for progress and remarks: never mixed with results."""

BAD_USAGE = 2
"""Exit code of a command that was asked for something that it cannot do."""
FAILED = 1
"""Exit code of a command that was asked well and did not succeed."""


def is_screen(destination: Path | None) -> bool:
    """Whether `--json` asks for standard output, which then is taken: no table may go there."""
    return str(destination) == "-"


def check_target(option: str, destination: Path | None, expected: str = "a file in it") -> None:
    """Ends the command if what `option` names cannot be a file that is written, before anything is
    measured. A new file in new folders can."""
    if destination is None:
        return
    if os.path.isdir(destination):
        fail(f"{option} {destination}: that is a folder; expected {expected}")
    if reason := why_not_writable(destination):
        fail(f"{option} {destination} cannot be written: {reason}")


def why_not_writable(file: Path) -> str | None:
    """The reason why `file`, and folders for it that are not there yet, cannot be written; None as
    far as can be told without trying."""
    place = file
    while not os.path.exists(place) and place != place.parent:
        place = place.parent
    if place != file and not os.path.isdir(place):
        return f"{place} is no folder that files could be in"
    return None if os.access(place, os.W_OK) else f"you may not change {place}"


def check_json(destination: Path | None) -> Path | None:
    """The callback of `--json`: it must name what can be a file."""
    if not is_screen(destination):
        check_target("--json", destination, "a file in it, or - for the screen")
    return destination


@contextmanager
def writing(destination: Path) -> Iterator[None]:
    """Makes the folders of `destination`; ends the command with the reason if it cannot be
    written."""
    try:
        destination.parent.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        fail(f"{destination} cannot be written: {error.strerror or error}", FAILED)


def write_file(destination: Path, text: str) -> None:
    """Write `text`; ends the command with the reason if that cannot be."""
    with writing(destination):
        destination.write_text(text)


def write_json(document: Any, destination: Path | None) -> None:
    """Write `document` where `--json` says: to a file, or to standard output; None is nowhere."""
    if destination is None:
        return
    text = json.dumps(_with_numbers_only(document), indent=2, allow_nan=False) + "\n"
    if is_screen(destination):
        sys.stdout.write(text)
    else:
        write_file(destination, text)


def _with_numbers_only(document: Any) -> Any:
    """With null for what is no number, such as a ratio to nothing: JSON has no other word for it,
    and what was measured beside it is not to be lost."""
    if isinstance(document, float):
        return document if math.isfinite(document) else None
    if isinstance(document, Mapping):
        return {key: _with_numbers_only(value) for key, value in document.items()}
    if isinstance(document, list | tuple):
        return [_with_numbers_only(value) for value in document]
    return document


def wrote_to_screen(document: Any, destination: Path | None) -> bool:
    """Like write_json(); whether that was standard output, so that nothing else may go there."""
    write_json(document, destination)
    return is_screen(destination)


def fail(message: str, exit_code: int = BAD_USAGE) -> NoReturn:
    """End the command: `message` says what is wrong, what was expected and what to do."""
    notes.print(f"tasuki: {message}", style="red", highlight=False)
    raise typer.Exit(exit_code)
