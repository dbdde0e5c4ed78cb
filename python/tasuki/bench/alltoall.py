"""`tasuki bench alltoall`: every algorithm and the host's own, in turn in one run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from tasuki.bench.support import alltoall_report, options, prediction
from tasuki.bench.support.algorithms import algorithm_names
from tasuki.bench.support.each_run import each_run
from tasuki.bench.support.launch import launch
from tasuki.bench.support.programs import ProgramError
from tasuki.bench.support.report import check_is_quiet, document
from tasuki.hosts import Host
from tasuki.model.found import MEASURE, parameters_of_host
from tasuki.output import FAILED, fail, is_screen, notes, write_json
from tasuki.picture import check_picture
from tasuki.sizes import parse_counts, parse_sizes

NATIVE = "native"
START_SECONDS = 60.0
"""How long a job may take to start, above the time that was asked for measuring."""
SIZE_SECONDS = 60.0
"""The fewest repetitions of slow algorithms may take so long, whatever time was asked for."""


def register(app: typer.Typer) -> None:
    app.command(
        "alltoall",
        epilog="Example: tasuki bench alltoall --mpi openmpi --ranks 2,4 --sizes 64:1M "
        "--json alltoall.json --picture alltoall.png",
    )(alltoall)


def alltoall(
    mpi: options.Mpi = "all",
    ranks: Annotated[str, typer.Option(help="Numbers of ranks.")] = "2,4",
    sizes: Annotated[
        str, typer.Option(help="Bytes from each rank to each: 64:1M (powers of two), or 8,64,4K.")
    ] = "64:1M",
    algorithms: Annotated[
        str | None,
        typer.Option(help="NAME[:parameter=value,...], separated by blanks; all if not given."),
    ] = None,
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
    picture: Annotated[
        Path | None,
        typer.Option(
            callback=check_picture, help="Draw times over sizes here (.png, .svg or .pdf)."
        ),
    ] = None,
) -> None:
    """Time MPI_Alltoall by every algorithm and by the host's own, and check every answer.

    The algorithms alternate within one run. A time is the slowest rank's, from a barrier on;
    medians, the spread (interquartile range over median) and the ratio to the host's own are given.
    """
    hosts = options.parsed(options.parse_hosts, mpi)
    rank_counts = options.parsed(parse_counts, ranks)
    byte_counts = options.parsed(parse_sizes, sizes)
    names = algorithms.split() if algorithms else algorithm_names("alltoall")
    names = [NATIVE, *(name for name in dict.fromkeys(names) if name != NATIVE)]
    check_is_quiet(busy)
    rows: list[dict[str, Any]] = []
    skipped: list[dict[str, Any]] = []
    sources: dict[str, str] = {}
    try:
        runs = each_run("bench/alltoall/alltoall.c", hosts, rank_counts, len(byte_counts))
        for host, count, program, advance in runs:
            before = len(rows)
            for size_rows, size_skipped in measure(
                host, program, count, byte_counts, names, seconds, repetitions
            ):
                rows += size_rows
                skipped += size_skipped
                advance()
            if predict:
                sources[f"{host.name}, {count} ranks"] = add_predictions(host, count, rows[before:])
    except ProgramError as error:
        fail(str(error), FAILED)
    results = document("alltoall", hosts, rank_counts, rows, summary(rows, skipped))
    if predict:
        results["summary"]["prediction"] = prediction.accuracy(rows, sources)
    if not is_screen(json_file):
        alltoall_report.print_tables(results)
    if picture:
        alltoall_report.draw(results, picture)
        notes.print(f"Picture: {picture}")
    write_json(results, json_file)
    if not rows:
        fail("nothing was measured", FAILED)


def add_predictions(host: Host, ranks: int, rows: Sequence[dict[str, Any]]) -> str:
    """Adds predicted_seconds to the rows; where the parameters are from."""
    parameters = parameters_of_host(host, ranks, str(ranks))
    prediction.add_predictions(rows, ranks, parameters)
    if parameters.measured:
        return parameters.source
    return f"{parameters.source}; `{MEASURE} --mpi {host.name} --ranks {ranks}` measures here"


def measure(
    host: Host,
    program: Path,
    ranks: int,
    sizes: Sequence[int],
    algorithms: Sequence[str],
    seconds: float,
    repetitions: int,
) -> Iterator[tuple[list[dict[str, Any]], list[dict[str, Any]]]]:
    """The rows of each size, and what was skipped there because it is outside its domain."""
    argv = [program, str(seconds), str(repetitions), ",".join(map(str, sizes)), *algorithms]
    limit = START_SECONDS + (SIZE_SECONDS + 2 * seconds) * len(sizes)
    # Nothing but the host's own: then Tasuki need not be there.
    under_tasuki = list(algorithms) != [NATIVE]
    lines = launch(host, ranks, argv, limit, under_tasuki=under_tasuki)
    records: list[dict[str, Any]] = []
    for line in lines:
        records.append({"mpi": host.name, "ranks": ranks, **parse_record(line)})
        if len(records) == len(algorithms):
            yield rows_of(records), [record for record in records if "skipped" in record]
            records = []
    if records:
        raise ProgramError(f"{host.name}, {ranks} ranks: the output ends in the middle of a size")


def parse_record(line: str) -> dict[str, Any]:
    """One line that bench/alltoall wrote; ProgramError if it is none."""
    try:
        record = json.loads(line)
    except json.JSONDecodeError:
        record = None
    expected = {"bytes", "algorithm"}
    if not isinstance(record, dict) or not expected <= record.keys():
        raise ProgramError(f"the benchmark wrote an unexpected line: {line.rstrip()}")
    return record


def rows_of(records: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of one size, in the project's form; the first record is the host's own."""
    native = records[0]["median_seconds"]
    return [
        {
            "mpi": record["mpi"],
            "ranks": record["ranks"],
            "bytes": record["bytes"],
            "algorithm": record["algorithm"],
            "median_seconds": record["median_seconds"],
            "spread": record["spread"],
            "ratio_to_native": record["median_seconds"] / native,
        }
        for record in records
        if "skipped" not in record
    ]


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
            {
                "mpi": record["mpi"],
                "ranks": record["ranks"],
                "bytes": record["bytes"],
                "algorithm": record["algorithm"],
                "reason": record["skipped"].removeprefix("native: "),
            }
            for record in skipped
        ],
    }
