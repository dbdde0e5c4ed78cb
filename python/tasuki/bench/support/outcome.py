"""How a benchmark ends: what it has measured is shown, drawn and written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from tasuki.output import FAILED, fail, is_screen, notes, write_json

Results = dict[str, Any]


def deliver(
    results: Results,
    json_file: Path | None,
    print_tables: Callable[[Results], None],
    draw: Callable[[Results, Path], None] | None = None,
    picture: Path | None = None,
) -> None:
    """Tables, unless the screen is for the JSON; a picture where one is wanted; the JSON. Ends the
    command where nothing was measured."""
    if not is_screen(json_file):
        print_tables(results)
    if draw and picture and results["rows"]:
        draw(results, picture)
        notes.print(f"Picture: {picture}")
    write_json(results, json_file)
    if not results["rows"]:
        fail("nothing was measured", FAILED)
