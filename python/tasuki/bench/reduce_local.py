"""`tasuki bench reduce-local`: the kernels of reductions against the host's own."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import Progress
from rich.table import Table

from tasuki.bench.support import options
from tasuki.bench.support.launch import launch
from tasuki.bench.support.outcome import deliver
from tasuki.bench.support.programs import ProgramError, project_file, run_tool
from tasuki.bench.support.ratios import geometric_mean
from tasuki.bench.support.report import check_is_quiet, document, load_text
from tasuki.bench.support.rooms import built_room
from tasuki.hosts import Host
from tasuki.output import FAILED, console, fail, notes
from tasuki.sizes import duration_text, parse_sizes, size_text
from tasuki.temporary import temporary_folder

START_SECONDS, CASE_SECONDS = 60.0, 5.0
"""How long a job may take to start, and a case above the time that was asked for it."""

NAMES = "src/reduce/mpi_names.inc"
"""What MPI calls the types and operations that there are kernels for."""
TYPES, OPERATIONS = "NUMBER|PAIR", "OPERATION"
"""The macros of NAMES."""


def register(app: typer.Typer) -> None:
    app.command(
        "reduce-local",
        epilog="Example: tasuki bench reduce-local --mpi openmpi --types MPI_DOUBLE --sizes 8:4M",
    )(reduce_local)


def reduce_local(
    mpi: options.Mpi = "all",
    types: Annotated[
        str, typer.Option(help="Types to time, as MPI names them, separated by commas.")
    ] = "MPI_FLOAT, MPI_DOUBLE, MPI_INT32_T, MPI_INT64_T",
    operations: Annotated[
        str, typer.Option(help="Operations to time, as MPI names them.")
    ] = "MPI_SUM, MPI_MIN, MPI_MAX, MPI_PROD",
    sizes: Annotated[
        str, typer.Option(help="Bytes of a buffer: 8:4M (powers of two), or 8,64,4K.")
    ] = "8, 64, 512, 4K, 32K, 256K, 4M",
    seconds: Annotated[float, typer.Option(min=0.001, help="Time for each case.")] = 0.05,
    busy: options.Busy = False,
    json_file: options.Json = None,
) -> None:
    """Time Tasuki's reduction kernels against MPI_Reduce_local, and compare their answers."""
    hosts = options.parsed(options.parse_hosts, mpi)
    byte_counts = options.parsed(parse_sizes, sizes)
    try:
        names = project_file(NAMES).read_text()
    except ProgramError as error:
        fail(str(error), FAILED)
    wanted_types = options.parsed(partial(parse_names, names, TYPES), types)
    wanted_operations = options.parsed(partial(parse_names, names, OPERATIONS), operations)
    check_is_quiet(busy)
    rows: list[dict[str, Any]] = []
    answers: dict[str, dict[str, Any]] = {}
    try:
        library = built_room("reduce")
        with temporary_folder() as folder, Progress(console=notes) as progress:
            task = progress.add_task("", total=len(hosts))
            for host in hosts:
                progress.update(task, description=host.name)
                program = compile_for(host, library, Path(folder) / f"reduce-local-{host.name}")
                lines = measure(
                    host, program, wanted_types, wanted_operations, byte_counts, seconds
                )
                answers[host.name] = next(lines)
                rows += [{"mpi": host.name, **line} for line in lines]
                progress.advance(task)
    except ProgramError as error:
        fail(str(error), FAILED)
    results = document("reduce-local", hosts, [1], rows, summary(rows, answers))
    deliver(results, json_file, print_table)


def parse_names(names: str, kinds: str, text: str) -> list[str]:
    """Those of `text`, by commas; ValueError for one that `names`, the text of NAMES, does not have
    among `kinds`. Which of them a host has is known only when it runs."""
    known = re.findall(rf"^TASUKI_MPI_(?:{kinds})\((\w+),", names, re.MULTILINE)
    wanted = options.names_in(text)
    for name in wanted:
        if name not in known:
            raise ValueError(f"no kernel is for '{name}'; there are kernels for {', '.join(known)}")
    return wanted


def compile_for(host: Host, library: Path, output: Path) -> Path:
    """The C++ program for `host`, linked with the kernels."""
    source = project_file("bench/reduce_local/reduce_local.cpp")
    command = host.compile_command([source], output, "c++")
    flags = ["-std=c++20", "-O2", "-Wall", "-Wextra", f"-I{project_file('src')}", str(library)]
    run_tool([*command, *flags], {**os.environ, **host.environment()})
    return output


def measure(
    host: Host,
    program: Path,
    types: Sequence[str],
    operations: Sequence[str],
    sizes: Sequence[int],
    seconds: float,
) -> Iterator[dict[str, Any]]:
    """How the answers compare, then a row for each case."""
    argv = [
        program,
        str(seconds),
        ",".join(types),
        ",".join(operations),
        ",".join(map(str, sizes)),
    ]
    cases = len(types) * len(operations) * len(sizes)
    limit = START_SECONDS + (CASE_SECONDS + 2 * seconds) * cases
    for line in launch(host, 1, argv, limit, under_tasuki=False):
        yield json.loads(line)


def summary(
    rows: Sequence[dict[str, Any]], answers: dict[str, dict[str, Any]]
) -> dict[str, dict[str, Any]]:
    """By host: the kernels' times over the host's, and whether answers are equal."""
    found: dict[str, dict[str, Any]] = {}
    for name, compared in answers.items():
        ratios = [row["ratio"] for row in rows if row["mpi"] == name]
        mean = geometric_mean(ratios) if ratios else None
        found[name] = {
            "over_host_geomean": mean,
            "over_host_max": max(ratios, default=None),
            "answers": compared,
        }
    return found


def print_table(results: dict[str, Any]) -> None:
    table = Table(title="Kernels against the host's Reduce_local", caption=load_text())
    for name in ("MPI", "type", "operation", "bytes", "kernel", "host", "ratio"):
        table.add_column(name, justify="left" if name in ("MPI", "type", "operation") else "right")
    for row in results["rows"]:
        table.add_row(
            row["mpi"],
            row["type"],
            row["operation"],
            size_text(row["bytes"]),
            duration_text(row["kernel_seconds"]),
            duration_text(row["host_seconds"]),
            f"{row['ratio']:.3f}",
        )
    console.print(table)
    for name, found in results["summary"].items():
        answers = found["answers"]
        different = ", ".join(answers["different"]) or "none"
        console.print(
            f"{name}: {answers['equal']} answers are equal, different: {different}; "
            f"{len(answers['refused'])} are refused by the host"
        )
        if found["over_host_geomean"] is not None:
            console.print(
                f"{name}: kernel over host: geometric mean {found['over_host_geomean']:.3f}, "
                f"greatest {found['over_host_max']:.3f}"
            )
