"""`tasuki bench step-machine`: what it costs that a schedule is data."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from tasuki.bench.support import options
from tasuki.bench.support.each_run import each_run
from tasuki.bench.support.launch import launch
from tasuki.bench.support.outcome import deliver, keeping
from tasuki.bench.support.report import check_is_quiet, document, load_text
from tasuki.hosts import Host
from tasuki.output import console
from tasuki.sizes import duration_text, parse_counts, parse_sizes, size_text

START_SECONDS, SIZE_SECONDS = 60.0, 30.0
"""How long a job may take to start, and a size above the time that was asked for it."""
LARGE_BYTES = 4096
MOST_RATIO = {"8 bytes": 1.10, "4 KiB and more": 1.02}
"""What is wanted: ratio of the machine's median to the loop's."""


def register(app: typer.Typer) -> None:
    app.command(
        "step-machine",
        epilog="Example: tasuki bench step-machine --mpi openmpi,mpich --ranks 2,4 --sizes 8:64K",
    )(step_machine)


def step_machine(
    mpi: options.Mpi = "all",
    ranks: options.Ranks = "2,4",
    sizes: Annotated[
        str, typer.Option(help="Bytes from each rank to each: 8:64K (powers of two), or 8,64,4K.")
    ] = "8, 64, 512, 4K, 16K, 64K",
    seconds: Annotated[float, typer.Option(min=0.01, help="Time for each size.")] = 2.0,
    busy: options.Busy = False,
    json_file: options.Json = None,
) -> None:
    """Time Tasuki's spread against a loop of Irecv, Isend and Waitall with the same messages."""
    hosts = options.parsed(options.parse_hosts, mpi)
    rank_counts = options.parsed(parse_counts, ranks)
    byte_counts = options.parsed(parse_sizes, sizes)
    check_is_quiet(busy)
    rows: list[dict[str, Any]] = []
    with keeping(rows) as measuring:
        runs = each_run("bench/step_machine/step_machine.c", hosts, rank_counts, len(byte_counts))
        for host, count, program, advance in runs:
            for row in measure(host, program, count, byte_counts, seconds):
                rows.append(row)
                advance()
    results = document("step-machine", hosts, rank_counts, rows, summary(rows))
    deliver(results, json_file, print_table, measuring=measuring)


def measure(
    host: Host, program: Path, ranks: int, sizes: Sequence[int], seconds: float
) -> Iterator[dict[str, Any]]:
    """A row for each size."""
    argv = [program, str(seconds), ",".join(map(str, sizes))]
    limit = START_SECONDS + (SIZE_SECONDS + 2 * seconds) * len(sizes)
    for line in launch(host, ranks, argv, limit):
        row = {"mpi": host.name, "ranks": ranks, **json.loads(line)}
        yield row | {"ratio": row["machine_seconds"] / row["loop_seconds"]}


def summary(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The greatest ratio of each range of sizes that something is wanted of, and whether it holds.

    null where no such size was measured.
    """
    ratios = {
        "8 bytes": [row["ratio"] for row in rows if row["bytes"] == 8],
        "4 KiB and more": [row["ratio"] for row in rows if row["bytes"] >= LARGE_BYTES],
    }
    worst = {name: max(values, default=None) for name, values in ratios.items()}
    holds = {
        name: None if ratio is None else ratio <= MOST_RATIO[name] for name, ratio in worst.items()
    }
    return {"greatest_ratio": worst, "wanted_at_most": MOST_RATIO, "holds": holds}


def print_table(results: dict[str, Any]) -> None:
    table = Table(title="The step machine against a loop written by hand", caption=load_text())
    for name in ("MPI", "ranks", "bytes", "machine", "spread", "loop", "spread", "ratio"):
        table.add_column(name, justify="left" if name == "MPI" else "right")
    for row in results["rows"]:
        table.add_row(
            row["mpi"],
            str(row["ranks"]),
            size_text(row["bytes"]),
            duration_text(row["machine_seconds"]),
            f"{row['machine_spread']:.0%}",
            duration_text(row["loop_seconds"]),
            f"{row['loop_spread']:.0%}",
            f"{row['ratio']:.3f}",
        )
    console.print(table)
    found = results["summary"]
    for name, ratio in found["greatest_ratio"].items():
        if ratio is not None:
            verdict = "holds" if found["holds"][name] else "does not hold"
            wanted = found["wanted_at_most"][name]
            console.print(f"{name}: at most {ratio:.3f}; wanted {wanted:.2f}: {verdict}")
