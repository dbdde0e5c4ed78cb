"""Runs of bench/collective: one collective by the host's own algorithm and by others, in turn."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tasuki.bench.support.algorithms import algorithm_names
from tasuki.bench.support.launch import launch
from tasuki.bench.support.programs import ProgramError
from tasuki.bench.support.ratios import certain_of
from tasuki.hosts import Host
from tasuki.native import core

SOURCE = "bench/collective/collective.c"
COLLECTIVES = (
    "barrier",
    "bcast",
    "reduce",
    "allreduce",
    "reduce-scatter",
    "reduce-scatterv",
    "scan",
    "exscan",
    "gather",
    "gatherv",
    "scatter",
    "scatterv",
    "allgather",
    "allgatherv",
    "alltoall",
    "alltoallv",
    "alltoallw",
)
"""What the program can time: the collectives of the table, and forms whose blocks differ."""
FORMS = {
    "reduce-scatterv": "reduce-scatter",
    "gatherv": "gather",
    "scatterv": "scatter",
    "allgatherv": "allgather",
    "alltoallw": "alltoallv",
}
"""The collective of the table whose rows a form runs by. MPI_Reduce_scatter is `reduce-scatterv`,
as MPI_Reduce_scatter_block is `reduce-scatter`."""
REDUCTIONS = ("reduce", "allreduce", "reduce-scatter", "reduce-scatterv", "scan", "exscan")
"""What adds, and so has modes of reproducibility."""
DOUBLE_BYTES = 8
NATIVE, AUTO = "native", "auto"
START_SECONDS = 60.0
"""How long a job may take to start, above the time that was asked for measuring."""
SIZE_SECONDS = 60.0
"""The fewest repetitions of slow algorithms may take so long, whatever time was asked for."""

KEYS = (
    "mpi",
    "ranks",
    "collective",
    "bytes",
    "algorithm",
    "ran",
    "median_seconds",
    "spread",
    "repetitions",
)
"""What a row tells beside its ratios."""

Record = dict[str, Any]


class UnknownCollective(Exception):
    """Tasuki's library does not handle the collective; the text says which ones it does."""


@dataclass(frozen=True)
class Case:
    """What one run times."""

    collective: str
    sizes: Sequence[int]
    """Bytes: of each block, where they differ of the mean one, or of the vector or message; 0 where
    there is no data."""
    algorithms: Sequence[str]
    """The host's own first."""
    seconds: float
    """For each size, of all algorithms together, and as long before for `auto` to learn."""
    repetitions: int
    """At most so many blocks of calls for a size and algorithm."""
    memory: bool = True
    """Messages may go by memory."""

    @property
    def needs_tasuki(self) -> bool:
        """Not where nothing but the host's own is timed."""
        return list(self.algorithms) != [NATIVE]


def in_table(collective: str) -> str:
    """The name in algorithms.toml of what runs."""
    return FORMS.get(collective, collective)


def sizes_of(collective: str, sizes: Sequence[int]) -> list[int]:
    """The sizes that are timed of a collective; ValueError if it has none of them."""
    if collective == "barrier":
        return [0]
    if collective in REDUCTIONS and (odd := [size for size in sizes if size % DOUBLE_BYTES]):
        raise ValueError(
            f"{collective} adds doubles, of {DOUBLE_BYTES} bytes each, and {odd[0]} bytes are no "
            f"whole number of them: leave {', '.join(map(str, odd))} out of --sizes"
        )
    return list(sizes)


def with_native(algorithms: Sequence[str]) -> list[str]:
    """Each once, the host's own first."""
    return list(dict.fromkeys([NATIVE, *algorithms]))


def algorithms_of(collective: str, wanted: str, others: Sequence[str] = ()) -> list[str]:
    """What `--algorithms` asks for of a collective: `all` is every row of the table. Rows that only
    `others` have are left out. ValueError for a name that none of them has, or for a parameter that
    the row has not."""
    of_others = {name for other in others for name in algorithm_names(in_table(other))}
    own = algorithm_names(in_table(collective))
    chosen = []
    for word in wanted.split():
        name = word.partition(":")[0]
        if word == "all":
            chosen += own
        elif name in (NATIVE, AUTO):
            chosen.append(word)
        elif name in own:
            core().parse_choice(in_table(collective), word)
            chosen.append(word)
        elif name not in of_others:
            raise ValueError(
                f"{collective} has no algorithm '{name}'; there are: {', '.join(own)}; "
                f"or {AUTO}, to have it learnt, {NATIVE}, the MPI library's own, or all"
            )
    return with_native(chosen)


def measure(
    host: Host,
    ranks: int,
    program: Path,
    case: Case,
    cache: Path | None = None,
    beside_busy: bool = False,
) -> Iterator[tuple[list[Record], list[Record]]]:
    """The rows of each size, and what was skipped there because it is outside its domain.

    What is learnt is kept below `cache`. `beside_busy` processes the host's own is no measure: it
    has another run. UnknownCollective where Tasuki does not handle it.
    """
    sizes = ",".join(map(str, case.sizes))
    argv = [program, case.collective, str(case.seconds), str(case.repetitions), sizes]
    learning = sum(AUTO in name for name in case.algorithms)
    limit = START_SECONDS + (SIZE_SECONDS + (2 + learning) * case.seconds) * len(case.sizes)
    words = [*argv, *case.algorithms]
    lines = launch(
        host,
        ranks,
        words,
        limit,
        under_tasuki=case.needs_tasuki,
        cache=cache,
        memory=case.memory,
        beside_host=not beside_busy,
        beside_busy=beside_busy,
    )
    records: list[Record] = []
    for line in lines:
        where = {"mpi": host.name, "ranks": ranks, "collective": case.collective}
        records.append({**where, **parse_record(line)})
        if len(records) == len(case.algorithms):
            yield rows_of(records), [record for record in records if "skipped" in record]
            records = []
    if records:
        raise ProgramError(f"{host.name}, {ranks} ranks: the output ends in the middle of a size")


def parse_record(line: str) -> Record:
    """One line that bench/collective wrote; ProgramError if it is none."""
    try:
        record = json.loads(line)
    except json.JSONDecodeError:
        record = None
    if isinstance(record, dict) and "unknown" in record:
        raise UnknownCollective(record["unknown"])
    expected = {"bytes", "algorithm"}
    if not isinstance(record, dict) or not expected <= record.keys():
        raise ProgramError(f"the benchmark wrote an unexpected line: {line.rstrip()}")
    return record


def rows_of(records: Sequence[Record]) -> list[Record]:
    """The rows of one size, in the project's form; the first record is the host's own."""
    return [
        {key: record[key] for key in KEYS}
        | {
            "ratio_to_native": record["over_first"],
            "certain_ratio_to_native": certain_of(
                record["over_first"], record["spread_over_first"], record["repetitions"]
            ),
        }
        for record in records
        if "skipped" not in record
    ]


def skipped_rows(skipped: Sequence[Record]) -> list[Record]:
    """What was outside its domain, with the reason that Tasuki gave."""
    keys = ("mpi", "ranks", "collective", "bytes", "algorithm")
    return [
        {key: record[key] for key in keys} | {"reason": record["skipped"].removeprefix("native: ")}
        for record in skipped
    ]
