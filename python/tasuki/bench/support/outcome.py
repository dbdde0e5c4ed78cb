"""How a benchmark ends: what it has measured is shown, drawn and written."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tasuki.bench.support.programs import ProgramError
from tasuki.output import FAILED, fail, is_screen, notes, write_json

Results = dict[str, Any]


@dataclass
class Measuring:
    """Whether the measuring came to its end."""

    ended_early: str | None = None
    """Why it did not."""
    exit_code: int = FAILED


@contextmanager
def keeping(measured: Sequence[Any]) -> Iterator[Measuring]:
    """What was `measured` before a program failed, or before somebody ended the command, is not
    lost: deliver() goes on with it. With nothing measured the command ends."""
    measuring = Measuring()
    try:
        yield measuring
        return
    except ProgramError as error:
        measuring.ended_early = str(error)
    except KeyboardInterrupt:
        measuring.ended_early, measuring.exit_code = "interrupted", 128 + signal.SIGINT
    except SystemExit as ending:  # a signal came: tasuki.cli
        measuring.ended_early, measuring.exit_code = "ended by a signal", int(ending.code or FAILED)
    if not measured:
        fail(measuring.ended_early, measuring.exit_code)


def deliver(
    results: Results,
    json_file: Path | None,
    print_tables: Callable[[Results], None],
    draw: Callable[[Results, Path], None] | None = None,
    picture: Path | None = None,
    measuring: Measuring | None = None,
) -> None:
    """Tables, unless the screen is for the JSON; the JSON; a picture where one is wanted, last, so
    that nothing is lost if it cannot be drawn. Ends the command where nothing was measured, and
    where not everything was: `ended_early` in the JSON says why."""
    early = measuring.ended_early if measuring else None
    if not is_screen(json_file):
        print_tables(results)
    write_json(results | ({"ended_early": early} if early else {}), json_file)
    if draw and picture and results["rows"]:
        draw(results, picture)
        notes.print(f"Picture: {picture}")
    if not results["rows"]:
        fail("nothing was measured", FAILED)
    if measuring and early:
        fail(f"{early}\nWhat was measured before is above.", measuring.exit_code)
