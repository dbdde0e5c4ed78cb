"""`tasuki bench transport`: messages on one node, against the floor and the hosts."""

from __future__ import annotations

import json
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import Progress

from tasuki.bench.support import options, transport_report
from tasuki.bench.support.launch import launch
from tasuki.bench.support.outcome import deliver, keeping
from tasuki.bench.support.programs import (
    compile_program,
    project_file,
    run_tool,
)
from tasuki.bench.support.report import check_is_quiet, document
from tasuki.hosts import Host
from tasuki.output import notes
from tasuki.sizes import parse_counts, parse_sizes

START_SECONDS, SIZE_SECONDS = 60.0, 30.0
"""How long a job may take to start, and a size above the time that was asked for it."""
SHORTEST = 8
"""Bytes of the messages whose latency is compared with the floor's."""
WANTED = {"latency_over_floor": 1.15, "worst_over_best_host": 1.05}
"""What is wanted on two ranks, receiver first."""


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
    ] = "8,64,256,1K,4K,8K,16K,32K,64K,256K,1M,4M",
    seconds: Annotated[
        float, typer.Option(min=0.001, help="Time for each size and order in a round.")
    ] = 0.2,
    rounds: Annotated[int, typer.Option(min=1, help="How often each has its turn.")] = 3,
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
        tempfile.TemporaryDirectory() as folder,
        Progress(console=notes) as progress,
    ):
        task = progress.add_task("", total=len(rank_counts) * rounds * (1 + len(hosts)))
        programs = compile_all(hosts, Path(folder))
        for count in rank_counts:
            for _ in range(rounds):
                for name, program in programs.items():
                    progress.update(task, description=f"{name}, {count} ranks")
                    host = next((one for one in hosts if one.name == name), None)
                    records += measure(host, program, count, byte_counts, seconds)
                    progress.advance(task)
    rows = rows_of(records)
    results = document("transport", hosts, rank_counts, rows, summary(rows))
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


def compile_all(hosts: Sequence[Host], folder: Path) -> dict[str, Path]:
    """The program of the memory transport and that of each host, by name, in turn."""
    own = folder / "memory-transport"
    source = project_file("bench/transport/memory_transport.cpp")
    room = sorted(project_file("src/transport/memory").glob("*.cpp"))
    compiler = ["c++", "-std=c++20", "-O3", f"-I{project_file('src')}"]
    # What the step machine adds lies outside of what is timed.
    parts = [str(path) for path in room if path.name != "memory_transport.cpp"]
    run_tool([*compiler, str(source), *parts, "-o", str(own)])
    programs = {"tasuki": own}
    for host in hosts:
        output = folder / f"host-transport-{host.name}"
        source = project_file("bench/transport/host_transport.c")
        programs[host.name] = compile_program(host, [source], output)
    return programs


def measure(
    host: Host | None, program: Path, ranks: int, sizes: Sequence[int], seconds: float
) -> Iterator[dict[str, Any]]:
    """What one run of a program tells; without a host it is that of the memory transport."""
    settings = [str(seconds), ",".join(map(str, sizes))]
    if host is None:
        lines: Iterator[str] = iter(run_tool([str(program), str(ranks), *settings]).splitlines())
    else:
        limit = START_SECONDS + (SIZE_SECONDS + 2 * seconds) * len(sizes)
        lines = launch(host, ranks, [program, *settings], limit, under_tasuki=False)
    for line in lines:
        record = json.loads(line)
        yield record | {"ranks": ranks, "way": host.name if host else record["way"]}


def rows_of(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """A row for each number of ranks, order, size and way: the median over the rounds."""
    found: dict[tuple[Any, ...], list[dict[str, Any]]] = {}
    for record in records:
        key = tuple(record[name] for name in ("ranks", "order", "bytes", "way"))
        found.setdefault(key, []).append(record)
    rows = []
    for (ranks, order, size, way), rounds in found.items():
        times = [record["median_seconds"] for record in rounds]
        rows.append(
            {
                "ranks": ranks,
                "order": order,
                "bytes": size,
                "way": way,
                "median_seconds": statistics.median(times),
                "spread": statistics.median(record["spread"] for record in rounds),
                "spread_of_rounds": (max(times) - min(times)) / statistics.median(times),
            }
        )
    return rows


def summary(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """How the transport compares on two ranks, receiver first; null where it was not measured."""
    times: dict[int, dict[str, float]] = {}
    for row in rows:
        if row["ranks"] == 2 and row["order"] == "receiver first":
            times.setdefault(row["bytes"], {})[row["way"]] = row["median_seconds"]
    shortest = times.get(SHORTEST)
    over_best = {}
    for size, of_size in times.items():
        hosts = [time for way, time in of_size.items() if way not in ("tasuki", "floor")]
        if hosts:
            over_best[size] = of_size["tasuki"] / min(hosts)
    found: dict[str, Any] = {
        "latency_over_floor": shortest["tasuki"] / shortest["floor"] if shortest else None,
        "worst_over_best_host": max(over_best.values(), default=None),
        "over_best_host": {str(size): ratio for size, ratio in over_best.items()},
        "wanted_at_most": WANTED,
    }
    found["holds"] = {
        name: None if found[name] is None else found[name] <= most for name, most in WANTED.items()
    }
    return found
