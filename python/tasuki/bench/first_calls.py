"""`tasuki bench first-calls`: what a program pays before anything is learnt."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from tasuki.bench.support import options
from tasuki.bench.support.each_run import each_run
from tasuki.bench.support.launch import launch
from tasuki.bench.support.outcome import deliver, keeping
from tasuki.bench.support.programs import ProgramError
from tasuki.bench.support.ratios import spread
from tasuki.bench.support.report import check_is_quiet, document, load_text
from tasuki.bench.support.turns import in_turn
from tasuki.hosts import Host
from tasuki.output import console
from tasuki.sizes import duration_text, parse_counts
from tasuki.temporary import temporary_folder

CALLS = 60
RUN_SECONDS = 120.0
"""How long a run may take."""
WITHOUT, UNDER = "without", "Tasuki"
TIMES = ("init_seconds", "first_seconds", "next_seconds")

Times = dict[str, float]


def register(app: typer.Typer) -> None:
    app.command(
        "first-calls",
        epilog="Example: tasuki bench first-calls --mpi openmpi --ranks 2,8 --rounds 7",
    )(first_calls)


def first_calls(
    mpi: options.Mpi = "all",
    ranks: options.Ranks = "2,8",
    size: Annotated[
        int, typer.Option(min=1, max=1 << 20, help="Bytes from each rank to each.")
    ] = 64,
    rounds: Annotated[
        int, typer.Option(min=1, help="Runs with and without Tasuki, each a process of its own.")
    ] = 7,
    busy: options.Busy = False,
    json_file: options.Json = None,
) -> None:
    """Time MPI_Init and the first 60 all-to-alls of a program, with and without Tasuki in turn.

    Under Tasuki each run knows nothing of earlier ones. Times are the slowest rank's.
    """
    hosts = options.parsed(options.parse_hosts, mpi)
    rank_counts = options.parsed(parse_counts, ranks)
    check_is_quiet(busy)
    rows: list[dict[str, Any]] = []
    with keeping(rows) as measuring:
        runs = each_run("bench/first_calls/first_calls.c", hosts, rank_counts, rounds)
        for host, count, program, advance in runs:
            found: dict[str, list[Times]] = {WITHOUT: [], UNDER: []}
            for number in range(rounds):
                for way in in_turn((WITHOUT, UNDER), number):
                    found[way].append(measure(host, count, [program, str(size), str(CALLS)], way))
                advance()
            rows += rows_of(host.name, count, size, found)
    results = document("first-calls", hosts, rank_counts, rows, summary(rows))
    deliver(results, json_file, print_table, measuring=measuring)


def measure(host: Host, ranks: int, argv: Sequence[str | Path], way: str) -> Times:
    """The times of one run, whose cache is a new one."""
    with temporary_folder() as cache:
        under = way == UNDER
        how: dict[str, Any] = {"alltoall": "auto", "cache": Path(cache)} if under else {}
        told = [*launch(host, ranks, argv, RUN_SECONDS, under_tasuki=under, **how)]
    for line in told:
        if line.startswith("{"):
            return json.loads(line)
    raise ProgramError(f"{host.name}, {ranks} ranks: told no times")


def rows_of(mpi: str, ranks: int, size: int, found: dict[str, list[Times]]) -> list[dict[str, Any]]:
    """A row for each way: medians, and the spread of the first calls."""
    return [
        {
            "mpi": mpi,
            "ranks": ranks,
            "bytes": size,
            "calls": CALLS,
            "way": way,
            "rounds": len(times),
            **{name: statistics.median(run[name] for run in times) for name in TIMES},
            "first_spread": spread([run["first_seconds"] for run in times]),
        }
        for way, times in found.items()
    ]


def summary(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """What the first calls take more under Tasuki, for each MPI and number of ranks."""
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return {
        "first_calls_cost_seconds": [
            {
                "mpi": without["mpi"],
                "ranks": without["ranks"],
                "seconds": under["first_seconds"] - without["first_seconds"],
            }
            for without, under in pairs
        ]
    }


def print_table(results: dict[str, Any]) -> None:
    table = Table(title=f"The first {CALLS} all-to-alls of a program", caption=load_text())
    for name in ("MPI", "ranks", "way", "MPI_Init", f"first {CALLS}", "spread", f"next {CALLS}"):
        table.add_column(name, justify="left" if name in ("MPI", "way") else "right")
    for row in results["rows"]:
        table.add_row(
            row["mpi"],
            str(row["ranks"]),
            row["way"],
            duration_text(row["init_seconds"]),
            duration_text(row["first_seconds"]),
            f"{row['first_spread']:.0%}",
            duration_text(row["next_seconds"]),
        )
    console.print(table)
