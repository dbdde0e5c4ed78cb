"""`tasuki bench alltoall`: every algorithm and the host's own, in turn in one run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Any

import typer

from tasuki.bench.support import alltoall_report, options, prediction
from tasuki.bench.support.collective_runs import (
    NATIVE,
    SOURCE,
    Case,
    algorithms_of,
    measure,
    skipped_rows,
)
from tasuki.bench.support.each_run import each_run
from tasuki.bench.support.outcome import deliver, keeping
from tasuki.bench.support.report import check_is_quiet, document
from tasuki.hosts import Host
from tasuki.model.found import MEASURE, parameters_of_host
from tasuki.sizes import parse_counts, parse_sizes

NOT_TOLD = ("collective", "ran", "repetitions", "certain_ratio_to_native")


def register(app: typer.Typer) -> None:
    app.command(
        "alltoall",
        epilog="Example: tasuki bench alltoall --mpi openmpi --ranks 2,4 --sizes 64:1M "
        "--json alltoall.json --picture alltoall.png",
    )(alltoall)


def alltoall(
    mpi: options.Mpi = "all",
    ranks: options.Ranks = "2,4",
    sizes: Annotated[
        str, typer.Option(help="Bytes from each rank to each: 64:1M (powers of two), or 8,64,4K.")
    ] = "64:1M",
    algorithms: Annotated[
        str,
        typer.Option(
            help="Names, separated by blanks, each with :parameter=value, ... where it is to have "
            "one; all: every one of the table."
        ),
    ] = "all",
    seconds: Annotated[
        float, typer.Option(min=0.01, help="Time for each size, of all algorithms together.")
    ] = 1.0,
    repetitions: Annotated[
        int, typer.Option(min=1, max=100_000, help="At most so many for a size and algorithm.")
    ] = 1000,
    predict: Annotated[
        bool, typer.Option("--predict", help="Lay what the model predicts beside the times.")
    ] = False,
    busy: options.Busy = False,
    json_file: options.Json = None,
    picture: options.Picture = None,
) -> None:
    """Time MPI_Alltoall by every algorithm and by the host's own, and check every answer.

    The algorithms alternate within one run, by blocks of calls. A time is the slowest rank's, a
    call; medians, the spread (interquartile range over median) and the ratio to the host's own are
    given.
    """
    hosts = options.parsed(options.parse_hosts, mpi)
    rank_counts = options.parsed(parse_counts, ranks)
    byte_counts = options.parsed(parse_sizes, sizes)
    names = options.parsed(partial(algorithms_of, "alltoall"), algorithms)
    check_is_quiet(busy)
    rows: list[dict[str, Any]] = []
    skipped: list[dict[str, Any]] = []
    sources: dict[str, str] = {}
    with keeping(rows) as measuring:
        case = Case("alltoall", byte_counts, names, seconds, repetitions)
        runs = each_run(SOURCE, hosts, rank_counts, len(byte_counts))
        for host, count, program, advance in runs:
            before = len(rows)
            for size_rows, size_skipped in measure(host, count, program, case):
                rows += of_alltoall(size_rows)
                skipped += size_skipped
                advance()
            if predict:
                sources[f"{host.name}, {count} ranks"] = add_predictions(host, count, rows[before:])
    results = document("alltoall", hosts, rank_counts, rows, summary(rows, skipped))
    if predict:
        results["summary"]["prediction"] = prediction.accuracy(rows, sources)
    deliver(
        results,
        json_file,
        alltoall_report.print_tables,
        alltoall_report.draw,
        picture,
        measuring=measuring,
    )


def add_predictions(host: Host, ranks: int, rows: Sequence[dict[str, Any]]) -> str:
    """Adds predicted_seconds to the rows; where the parameters are from."""
    parameters = parameters_of_host(host, ranks, str(ranks))
    prediction.add_predictions(rows, ranks, parameters)
    if parameters.measured:
        return parameters.source
    return f"{parameters.source}; `{MEASURE} --mpi {host.name} --ranks {ranks}` measures here"


def of_alltoall(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows without what is the same in all of them, and what the others say as well."""
    return [{key: row[key] for key in row if key not in NOT_TOLD} for row in rows]


def summary(rows: Sequence[dict[str, Any]], skipped: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The fastest of each host, rank count and size, and what was outside its domain."""
    groups: dict[tuple[str, int, int], list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault((row["mpi"], row["ranks"], row["bytes"]), []).append(row)
    fastest = [min(group, key=lambda row: row["median_seconds"]) for group in groups.values()]
    return {
        "cases": len(fastest),
        "cases_where_native_is_fastest": sum(row["algorithm"] == NATIVE for row in fastest),
        "fastest": [
            {key: row[key] for key in ("mpi", "ranks", "bytes", "algorithm", "ratio_to_native")}
            for row in fastest
        ],
        "skipped": [
            {key: row[key] for key in row if key != "collective"} for row in skipped_rows(skipped)
        ],
    }
