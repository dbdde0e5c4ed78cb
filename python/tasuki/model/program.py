"""The MPI program that measures P-LogP: it is asked for one size after another."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tasuki.bench.support.launch import launch
from tasuki.bench.support.programs import ProgramError, compile_program, project_file
from tasuki.hosts import Host
from tasuki.model.refine import Sample, Samples

MOST_SECONDS = 1800.0
"""How long the program may run. It is no estimate: only a run that hangs needs so long."""


def compile_measurement(host: Host, folder: Path) -> Path:
    """bench/plogp for this host."""
    source = project_file("bench/plogp/plogp.c")
    return compile_program(host, [source], folder / f"plogp-{host.name}", ["-lm"])


class Measurement:
    """A running bench/plogp."""

    def __init__(self, lines: Iterator[str], pipe: int) -> None:
        """`lines` are what it writes, `pipe` is what it reads from."""
        self._lines = lines
        self._pipe = pipe
        self.run = self._next()
        """What the program says of its run: library, ranks, nodes, ranks_per_node, cores, pairs."""

    def ask(self, place: str, size: int) -> Samples:
        """`place` is "on-node", "off-node" or "copy"; by function what messages of `size` take."""
        self._say(f"{place} {size}")
        answer = self._next()
        return {name: Sample(*value) for name, value in answer.items() if isinstance(value, list)}

    def end(self) -> None:
        """ProgramError if the program does not end well."""
        self._say("end")
        for _ in self._lines:
            pass

    def _say(self, line: str) -> None:
        os.write(self._pipe, f"{line}\n".encode())

    def _next(self) -> dict[str, Any]:
        line = next(self._lines, None)
        if line is None:
            raise ProgramError("the measurement ended before it had answered")
        try:
            answer = json.loads(line)
        except json.JSONDecodeError:
            answer = None
        if not isinstance(answer, dict):
            raise ProgramError(f"the measurement wrote an unexpected line: {line.rstrip()}")
        return answer


@contextmanager
def start_measurement(
    host: Host,
    program: Path,
    ranks: int,
    seconds: float,
    ranks_per_node: int | None = None,
    launcher: Sequence[str] | None = None,
) -> Iterator[Measurement]:
    """A run of bench/plogp that takes `seconds` for each answer, and is over at the end.

    `ranks_per_node` is taken for what a node has, whatever the host says; `launcher` is the command
    that starts the ranks, if not the host's own.
    """
    argv: list[str | Path] = [program, str(seconds)]
    if ranks_per_node:
        argv.append(str(ranks_per_node))
    reading, writing = os.pipe()
    lines = launch(
        host,
        ranks,
        argv,
        MOST_SECONDS,
        under_tasuki=False,
        stdin=reading,
        launcher=launcher,
    )
    try:
        measurement = Measurement(lines, writing)
        yield measurement
        measurement.end()
    finally:
        lines.close()
        os.close(reading)
        os.close(writing)
