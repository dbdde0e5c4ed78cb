"""The times of several collectives on several hosts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tasuki.bench.support.busy_processes import busy_processes
from tasuki.bench.support.collective_runs import (
    COLLECTIVES,
    Case,
    UnknownCollective,
    measure,
    skipped_rows,
)
from tasuki.bench.support.options import names_in
from tasuki.bench.support.programs import ProgramError
from tasuki.hosts import Host


def parse_collectives(text: str, known: Sequence[str] = COLLECTIVES) -> Sequence[str]:
    """The names of `all`, or of a list; ValueError for one that there is not."""
    if text == "all":
        return known
    names = names_in(text)
    for name in names:
        if name not in known:
            raise ValueError(
                f"there is no benchmark of '{name}'; there are: {', '.join(known)}; or all"
            )
    return names


@dataclass
class Times:
    """What the runs have given so far."""

    takes_what_there_is: bool
    """What Tasuki does not handle is left out; otherwise it ends the benchmark."""
    busy: int = 0
    """So many processes keep cores busy beside the ranks."""
    rows: list[dict[str, Any]] = field(default_factory=list)
    skipped: list[dict[str, Any]] = field(default_factory=list)
    """What was outside its domain, with the reason."""
    left_out: list[dict[str, str]] = field(default_factory=list)
    """What Tasuki does not handle: host and collective, with the reason."""

    def add(
        self,
        host: Host,
        ranks: int,
        program: Path,
        case: Case,
        cache: Path,
        advance: Callable[[], object],
    ) -> bool:
        """One run, and whether Tasuki handles the collective. What is learnt is kept below `cache`;
        `advance` is called after each size."""
        done = 0
        try:
            with busy_processes(self.busy):
                for rows, skipped in measure(host, ranks, program, case, cache):
                    self.rows += rows
                    self.skipped += skipped_rows(skipped)
                    advance()
                    done += 1
        except UnknownCollective as unknown:
            if not self.takes_what_there_is:
                raise ProgramError(f"{host.name}: {unknown}") from None
            what = {"mpi": host.name, "collective": case.collective, "reason": str(unknown)}
            if what not in self.left_out:
                self.left_out.append(what)
            for _ in case.sizes[done:]:
                advance()
            return False
        return True
