"""`tasuki bench off-cost`: what a call costs when everything is switched off."""

from __future__ import annotations

import os
import re
import shutil
import statistics
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from tasuki.bench.support import options
from tasuki.bench.support.launch import tasuki_command
from tasuki.bench.support.outcome import deliver
from tasuki.bench.support.programs import ProgramError, project_file, run_tool
from tasuki.bench.support.ratios import spread
from tasuki.bench.support.report import check_is_quiet, document, load_text
from tasuki.hosts import Host, find_hosts
from tasuki.installation import libraries
from tasuki.output import FAILED, console, fail
from tasuki.temporary import temporary_folder

MOST_NANOSECONDS = 20.0
"""What is wanted: a call with Tasuki off costs at most so much more than one without it."""
BATCHES, CALLS = 50, 20_000
FEW_CALLS, MANY_CALLS = 1000, 3000
"""For counting instructions, which is exact: what they differ by is the cost of the difference."""


def register(app: typer.Typer) -> None:
    app.command("off-cost", epilog="Example: tasuki bench off-cost --json off-cost.json")(off_cost)


def off_cost(
    library: Annotated[
        Path | None,
        typer.Option(help="Measure this libtasuki-mpich.so instead of the installed one."),
    ] = None,
    runs: Annotated[int, typer.Option(min=1, help="Runs with and without Tasuki.")] = 10,
    busy: options.Busy = False,
    json_file: options.Json = None,
) -> None:
    """Time MPI_Alltoall on a host that returns at once, with Tasuki switched off and without it."""
    if library is not None and not library.is_file():
        fail(f"--library {library}: no such file; expected a libtasuki-mpich.so")
    check_is_quiet(busy)
    try:
        library = (library or installed_library()).absolute()
        host = mpich_header_host()
        with temporary_folder() as folder:
            program = build(host, Path(folder))
            rows = measure(program, library, runs)
    except ProgramError as error:
        fail(str(error), FAILED)
    results = document("off-cost", [host], [1], rows, summary(rows))
    deliver(results, json_file, print_table)


def installed_library() -> Path:
    """libtasuki-mpich.so as the command finds it."""
    command = tasuki_command()
    if library := libraries(command).get("mpich"):
        return library
    raise ProgramError(f"{command} has no libtasuki-mpich.so: name one by --library")


def mpich_header_host() -> Host:
    """A host whose mpi.h has the MPICH ABI."""
    for host in find_hosts():
        if host.abi == "mpich" and (host.prefix / "include/mpi.h").exists():
            return host
    raise ProgramError("no mpi.h of the MPICH ABI was found: install the wheel mpich")


def build(host: Host, folder: Path) -> Path:
    """The loop, linked to the stub host by the name that a real one would have."""
    sources = project_file("bench/off_cost")
    compiler = ["cc", "-O2", "-Wall", "-Wextra", f"-I{host.prefix}/include"]
    stub, program = folder / "libmpi.so.12", folder / "off_cost"
    shared = ["-shared", "-fPIC", f"-Wl,-soname,{stub.name}"]
    run_tool([*compiler, *shared, str(sources / "stub_host.c"), "-o", str(stub)])
    link = [str(stub), f"-Wl,-rpath,{folder}"]
    run_tool([*compiler, str(sources / "off_cost.c"), "-o", str(program), *link])
    return program


def measure(program: Path, library: Path, runs: int) -> list[dict[str, Any]]:
    """A row without Tasuki and one with it switched off, measured in turn."""
    ways = {"without Tasuki": environment(None), "Tasuki, off": environment(library)}
    check_is_loaded(program, ways["Tasuki, off"], library)
    nanoseconds: dict[str, list[float]] = {way: [] for way in ways}
    for _ in range(runs):
        for way, variables in ways.items():
            told = run_tool([str(program), str(BATCHES), str(CALLS)], variables)
            nanoseconds[way] += [float(line) for line in told.split()]
    rows = []
    for way, variables in ways.items():
        rows.append(
            {
                "way": way,
                "median_seconds": statistics.median(nanoseconds[way]) * 1e-9,
                "spread": spread(nanoseconds[way]),
                "instructions_per_call": instructions_per_call(program, variables),
            }
        )
    return rows


def environment(library: Path | None) -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("TASUKI_")}
    if library is None:
        return own
    return own | {"LD_PRELOAD": str(library), "TASUKI_COLLECTIVES": "native"}


def check_is_loaded(program: Path, variables: dict[str, str], library: Path) -> None:
    """The loader goes on without a library that it cannot preload, which it names, too: then
    nothing is measured."""
    told = run_tool(["ldd", str(program)], variables)
    if not re.search(rf"^\s*{re.escape(str(library))} \(0x", told, re.MULTILINE):
        raise ProgramError(f"{library} cannot be preloaded into {program.name}:\n{told}")


def instructions_per_call(program: Path, variables: dict[str, str]) -> float | None:
    """None without valgrind."""
    valgrind = shutil.which("valgrind")
    if not valgrind:
        return None
    few, many = (
        count_instructions(valgrind, program, calls, variables) for calls in (FEW_CALLS, MANY_CALLS)
    )
    return (many - few) / (MANY_CALLS - FEW_CALLS)


def count_instructions(valgrind: str, program: Path, calls: int, variables: dict[str, str]) -> int:
    """Executed in a whole run of the program."""
    profile = program.with_name("callgrind.out")
    tool = [valgrind, "--tool=callgrind", f"--callgrind-out-file={profile}"]
    run_tool([*tool, str(program), "1", str(calls)], variables)
    found = re.search(r"^(?:summary|totals): (\d+)", profile.read_text(), re.MULTILINE)
    if not found:
        raise ProgramError("callgrind did not tell how many instructions it counted")
    return int(found.group(1))


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The cost of being there. Instructions are null where they were not counted."""
    without, off = rows
    cost = 1e9 * (off["median_seconds"] - without["median_seconds"])
    counts = (off["instructions_per_call"], without["instructions_per_call"])
    return {
        "cost_nanoseconds": cost,
        "wanted_at_most": MOST_NANOSECONDS,
        "holds": cost <= MOST_NANOSECONDS,
        "cost_instructions": None if None in counts else counts[0] - counts[1],
    }


def print_table(results: dict[str, Any]) -> None:
    table = Table(title="An MPI_Alltoall that returns at once", caption=load_text())
    table.add_column("")
    for name in ("median", "spread", "instructions"):
        table.add_column(name, justify="right")
    for row in results["rows"]:
        count = row["instructions_per_call"]
        table.add_row(
            row["way"],
            f"{row['median_seconds'] * 1e9:.2f} ns",
            f"{row['spread']:.0%}",
            "not counted" if count is None else f"{count:.1f}",
        )
    console.print(table)
    found = results["summary"]
    verdict = "holds" if found["holds"] else "does not hold"
    console.print(
        f"Tasuki, switched off, costs {found['cost_nanoseconds']:.2f} ns a call; "
        f"wanted at most {MOST_NANOSECONDS:.0f}: {verdict}",
        highlight=False,
    )
