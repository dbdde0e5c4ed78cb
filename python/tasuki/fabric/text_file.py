"""The files that this package reads are text, and people name others."""

from __future__ import annotations

from pathlib import Path

from tasuki.fabric.error import FabricError


def read_text(path: Path, expected: str) -> str:
    """The text of a file; raises FabricError if it cannot be read, or if it is none. `expected` are
    the words for what should be in it."""
    try:
        return path.read_text()
    except OSError as error:
        raise FabricError(f"{path}: cannot read it: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise FabricError(f"{path}: this is no text; expected {expected}") from error
