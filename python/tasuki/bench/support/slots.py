"""Programs that have their slots of time in turn: each sleeps while another is measured."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from tasuki.bench.support.programs import ProgramError

GiveSlot = Callable[[], str]
"""Gives a program its next slot, and the line that it writes in it."""


@contextmanager
def in_slots(
    name: str, ranks: int, folder: Path, start: Callable[[Path], Generator[str, None, None]]
) -> Iterator[GiveSlot]:
    """A program of which each rank waits for a byte before each slot, in the pipe that its number
    names in `folder`; `start` starts it there.

    ProgramError, which begins with `name`, if it ends before its last slot, or not after it.
    """
    folder.mkdir()
    with ExitStack() as stack:
        pipes = []
        for rank in range(ranks):
            pipe = folder / str(rank)
            os.mkfifo(pipe)
            # Also for reading, so that to open it does not wait for the program.
            pipes.append(os.open(pipe, os.O_RDWR))
            stack.callback(os.close, pipes[-1])
        lines = stack.enter_context(closing(start(folder)))

        def give_slot() -> str:
            for pipe in pipes:
                os.write(pipe, b".")
            for line in lines:
                return line
            raise ProgramError(f"{name}: ended before it was done")

        yield give_slot
        for line in lines:
            raise ProgramError(f"{name}: a line too many: {line}")
