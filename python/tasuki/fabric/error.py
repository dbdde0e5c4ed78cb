"""The one error of this package: bad input, told so that the user can find and repair it."""

from __future__ import annotations

from pathlib import Path


class FabricError(Exception):
    """What is wrong, where (file and line, or host), and what was expected."""


def error_in_line(source: Path | str, line: int, message: str) -> FabricError:
    """An error that names the place, as compilers do."""
    return FabricError(f"{source}:{line}: {message}")
