"""What every command prints with: tables for people, JSON for scripts, one form of error."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, NoReturn

import typer
from rich.console import Console

console = Console()
"""Standard output, for results."""
notes = Console(stderr=True)
"""Standard error, for progress and remarks: never mixed with results."""

BAD_USAGE = 2
"""Exit code of a command that was asked for something that it cannot do."""
FAILED = 1
"""Exit code of a command that was asked well and did not succeed."""


def write_json(document: Any, destination: Path | None = None) -> None:
    """Write `document` to the file `destination`; None or "-" is standard output."""
    text = json.dumps(document, indent=2) + "\n"
    if destination is None or str(destination) == "-":
        sys.stdout.write(text)
    else:
        destination.parent.mkdir(parents=True, exist_ok=True)
        destination.write_text(text)


def fail(message: str, exit_code: int = BAD_USAGE) -> NoReturn:
    """End the command: `message` says what is wrong, what was expected and what to do."""
    notes.print(f"tasuki: {message}", style="red", highlight=False, markup=False)
    raise typer.Exit(exit_code)
