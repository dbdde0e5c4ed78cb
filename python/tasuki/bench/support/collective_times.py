"""The times of several collectives on several hosts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tasuki.bench.support.busy_processes import busy_processes
from tasuki.bench.support.collective_runs import (
    COLLECTIVES,
    NATIVE,
    Case,
    Record,
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


def over_another(alone: Mapping[int, Record], rows: Sequence[Record]) -> list[Record]:
    """`rows` of one size without the host's own, with ratios to that of another run: `alone`, by
    bytes. Nobody knows by how much two runs differ, so nothing is certain of these."""
    return [
        row
        | {
            "ratio_to_native": row["median_seconds"] / alone[row["bytes"]]["median_seconds"],
            "certain_ratio_to_native": None,
        }
        for row in rows
        if row["algorithm"] != NATIVE
    ]


@dataclass
class Times:
    """What the runs have given so far."""

    takes_what_there_is: bool
    """What Tasuki does not handle is left out; otherwise it ends the benchmark."""
    busy: int = 0
    """So many processes keep cores busy beside the ranks."""
    rows: list[Record] = field(default_factory=list)
    skipped: list[Record] = field(default_factory=list)
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
        """One run, and whether Tasuki handles the collective; beside busy processes two: there the
        host's own has a run without Tasuki, which asks for shorter slices of the scheduler's. What
        is learnt is kept below `cache`; `advance` is called after each size."""
        done = 0
        try:
            with busy_processes(self.busy):
                beside_busy = self.busy > 0
                alone: dict[int, Record] = {}
                if beside_busy and case.needs_tasuki:
                    alone = self._add_native(host, ranks, program, case)
                runs = measure(host, ranks, program, case, cache, beside_busy=beside_busy)
                for rows, skipped in runs:
                    self.rows += over_another(alone, rows) if alone else rows
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

    def _add_native(self, host: Host, ranks: int, program: Path, case: Case) -> dict[int, Record]:
        """A run of the host's own, without Tasuki: its rows, by bytes."""
        own = replace(case, algorithms=[NATIVE])
        alone: dict[int, Record] = {}
        for rows, _ in measure(host, ranks, program, own, beside_busy=True):
            self.rows += rows
            alone |= {row["bytes"]: row for row in rows}
        return alone
