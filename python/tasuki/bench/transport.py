"""`tasuki bench transport`: messages on one node, against the floor and the hosts."""

from __future__ import annotations

import json
import statistics
from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import Progress

from tasuki.bench.support import options, transport_report
from tasuki.bench.support.launch import launch, lines_of
from tasuki.bench.support.outcome import deliver, keeping
from tasuki.bench.support.programs import compile_program, project_file
from tasuki.bench.support.ratios import certain_median
from tasuki.bench.support.report import check_is_quiet, document
from tasuki.bench.support.rooms import compile_with_memory
from tasuki.bench.support.slots import in_slots
from tasuki.bench.support.transport_report import ORDERS, OWN, STREAM
from tasuki.hosts import Host
from tasuki.output import notes
from tasuki.sizes import parse_counts, parse_sizes
from tasuki.temporary import temporary_folder

START_SECONDS, SIZE_SECONDS = 60.0, 10.0
"""How long a job may take to start, and a size in a round above the time that was asked for it."""
SHORTEST = 8
"""Bytes of the messages whose latency is compared with the floor's."""
WANTED = {"latency_over_floor": 1.15, "worst_over_best_host": 1.05}
"""What is wanted on two ranks, receiver first."""


@dataclass(frozen=True)
class Program:
    """One that times messages."""

    name: str
    path: Path
    ways: Sequence[str]
    """Each has a slot of its own, in which a line is written."""
    host: Host | None
    """Whose library it uses; without one it starts its ranks by itself."""
    more: Sequence[str] = ()
    """What it is told beside what all are told."""

    def start(
        self,
        ranks: int,
        seconds: float,
        sizes: Sequence[int],
        rounds: int,
        limit: float,
        slots: Path,
    ) -> Generator[str, None, None]:
        """Its lines. It is ended after `limit` seconds."""
        settings = [str(seconds), ",".join(map(str, sizes)), str(rounds), str(slots), *self.more]
        if self.host:
            return launch(self.host, ranks, [self.path, *settings], limit, under_tasuki=False)
        return lines_of([str(self.path), str(ranks), *settings], self.name, limit)


def register(app: typer.Typer) -> None:
    app.command(
        "transport",
        epilog="Example: tasuki bench transport --mpi all --ranks 2,4 --sizes 8:4M "
        "--json transport.json --picture transport.png",
    )(transport)


def transport(
    mpi: options.Mpi = "all",
    ranks: Annotated[str, typer.Option(help="Numbers of ranks, even, up to 64.")] = "2",
    sizes: Annotated[
        str, typer.Option(help="Bytes of a message: 8:4M (powers of two), or 8,64,4K.")
    ] = "8, 64, 256, 1K, 4K, 8K, 16K, 32K, 64K, 256K, 1M, 4M",
    seconds: Annotated[
        float, typer.Option(min=0.001, help="Time for each size and order in a round.")
    ] = 0.02,
    rounds: Annotated[int, typer.Option(min=1, help="How often each has its turn.")] = 15,
    warm_bytes: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="The largest messages that the memory transport copies in and out of blocks which "
            "caches hold, instead of once; 4 MiB if not said.",
        ),
    ] = None,
    busy: options.Busy = False,
    json_file: options.Json = None,
    picture: options.Picture = None,
) -> None:
    """Time messages on this node: the memory transport, its floor, and the hosts, in turn."""
    hosts = options.parsed(options.parse_hosts, mpi)
    rank_counts = options.parsed(parse_even_counts, ranks)
    byte_counts = options.parsed(parse_sizes, sizes)
    check_is_quiet(busy)
    records: list[dict[str, Any]] = []
    with (
        keeping(records) as measuring,
        temporary_folder() as folder,
        Progress(console=notes) as progress,
    ):
        turns = len(byte_counts) * len(ORDERS) * rounds
        task = progress.add_task("", total=len(rank_counts) * turns)
        programs = compile_all(hosts, Path(folder), warm_bytes)
        for count in rank_counts:
            progress.update(task, description=f"{count} ranks")
            for found in measure(programs, count, byte_counts, seconds, rounds, Path(folder)):
                records += found
                progress.advance(task)
    rows = rows_of(records)
    results = document("transport", hosts, rank_counts, rows, summary(rows))
    if warm_bytes is not None:
        results["summary"]["warm_bytes"] = warm_bytes
    deliver(
        results,
        json_file,
        transport_report.print_tables,
        transport_report.draw,
        picture,
        measuring=measuring,
    )


def parse_even_counts(text: str) -> list[int]:
    """Ranks talk in pairs. ValueError otherwise."""
    counts = parse_counts(text)
    for count in counts:
        if count % 2 or count > 64:
            raise ValueError(f"{count} ranks do not make pairs: expected even numbers up to 64")
    return counts


def compile_all(hosts: Sequence[Host], folder: Path, warm_bytes: int | None) -> list[Program]:
    """The program of the memory transport, and that of each host."""
    more = () if warm_bytes is None else (str(warm_bytes),)
    source = project_file("bench/transport/memory_transport.cpp")
    own = compile_with_memory(source, folder / OWN, "-O3")
    programs = [Program(OWN, own, ("floor", OWN), None, more)]
    for host in hosts:
        output = folder / f"host-transport-{host.name}"
        source = project_file("bench/transport/host_transport.c")
        path = compile_program(host, [source], output)
        programs.append(Program(host.name, path, (host.name,), host))
    return programs


def measure(
    programs: Sequence[Program],
    ranks: int,
    sizes: Sequence[int],
    seconds: float,
    rounds: int,
    folder: Path,
) -> Iterator[list[dict[str, Any]]]:
    """What the programs tell of a size and order in a round, in which each has its turn.

    They run beside each other, and all but one sleep, so that no more than a tenth of a second lies
    between what is compared: a virtual core may lie elsewhere a second later.
    """
    ways = sum(len(program.ways) for program in programs)
    round_seconds = (SIZE_SECONDS + len(ORDERS) * seconds) * len(sizes) * ways
    limit = START_SECONDS + rounds * round_seconds
    with ExitStack() as stack:
        slots = [
            stack.enter_context(
                in_slots(
                    f"{program.name}, {ranks} ranks",
                    ranks,
                    folder / f"slots-{program.name}-{ranks}",
                    partial(program.start, ranks, seconds, sizes, rounds, limit),
                )
            )
            for program in programs
        ]
        for _ in range(len(sizes) * len(ORDERS) * rounds):
            yield [
                json.loads(give_slot()) | {"ranks": ranks, "way": way}
                for program, give_slot in zip(programs, slots, strict=True)
                for way in program.ways
            ]


def rows_of(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """A row for each number of ranks, order, size and way: the median over the rounds.

    The time of a message of a stream is its part of the window's time, answer and all. Copies are
    counted where the way counts them: by the memory transport alone, over all pairs of ranks.

    A machine that is quicker in one round than in the next must not tell for one way and against
    another: what Tasuki takes of another's time is the median of the ratios in each round.
    """
    found: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for record in records:
        key = tuple(record[name] for name in ("ranks", "order", "bytes", "way"))
        found.setdefault(key, []).append(record)
    rows = []
    for (ranks, order, size, way), rounds in found.items():
        times = [record["median_seconds"] for record in rounds]
        own = [record["median_seconds"] for record in found[ranks, order, size, OWN]]
        ratios = [mine / time for mine, time in zip(own, times, strict=True)]
        copies = [r["copies_per_byte"] for r in rounds if "copies_per_byte" in r]
        rows.append(
            {
                "ranks": ranks,
                "order": order,
                "bytes": size,
                "way": way,
                "median_seconds": statistics.median(times),
                "gigabytes_per_second": (
                    size / statistics.median(times) / 1e9 if order == STREAM else None
                ),
                "copies_per_byte": statistics.median(copies) if copies else None,
                "spread": statistics.median(record["spread"] for record in rounds),
                "spread_of_rounds": (max(times) - min(times)) / statistics.median(times),
                "tasuki_over": statistics.median(ratios),
                "certain_tasuki_over": certain_median(ratios),
            }
        )
    return rows


def summary(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """How the transport compares on two ranks, receiver first; null where it was not measured."""
    ratios: dict[int, dict[str, float]] = {}
    for row in rows:
        if row["ranks"] == 2 and row["order"] == "receiver first":
            ratios.setdefault(row["bytes"], {})[row["way"]] = row["tasuki_over"]
    over_best = {}
    for size, of_size in ratios.items():
        hosts = [ratio for way, ratio in of_size.items() if way not in (OWN, "floor")]
        if hosts:
            over_best[size] = max(hosts)
    found: dict[str, Any] = {
        "latency_over_floor": ratios[SHORTEST]["floor"] if SHORTEST in ratios else None,
        "worst_over_best_host": max(over_best.values(), default=None),
        "over_best_host": {str(size): ratio for size, ratio in over_best.items()},
        "wanted_at_most": WANTED,
    }
    found["holds"] = {
        name: None if found[name] is None else found[name] <= most for name, most in WANTED.items()
    }
    return found
