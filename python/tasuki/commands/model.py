"""`tasuki model`: P-LogP parameters, and what they predict."""

from __future__ import annotations

import shlex
import shutil
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.table import Table

from tasuki.bench.support import options
from tasuki.bench.support.programs import ProgramError
from tasuki.bench.support.report import check_is_quiet
from tasuki.cache import check_cache_can_be_written
from tasuki.hosts import Host
from tasuki.model import report
from tasuki.model.found import (
    MEASURE,
    Parameters,
    kept_files,
    named_parameters,
    parameters_of_host,
    readable_files,
)
from tasuki.model.measurement import keep, measure_machine
from tasuki.model.program import compile_measurement, start_measurement
from tasuki.model.thresholds import Refused, measure_thresholds, with_thresholds
from tasuki.native import core
from tasuki.output import (
    FAILED,
    check_json,
    check_target,
    console,
    fail,
    is_screen,
    notes,
    write_json,
    wrote_to_screen,
)
from tasuki.picture import check_picture
from tasuki.sizes import MOST_RANKS, parse_counts, parse_size, parse_sizes, size_text
from tasuki.temporary import temporary_folder

model_app = typer.Typer(no_args_is_help=True, help="P-LogP parameters, and what they predict.")

JsonOption = Annotated[
    Path | None,
    typer.Option("--json", callback=check_json, help="Write the result as JSON; - is the screen."),
]
PictureOption = Annotated[
    Path | None,
    typer.Option(callback=check_picture, help="Draw into this file (.png, .svg, .pdf)."),
]


def register(app: typer.Typer) -> None:
    app.add_typer(model_app, name="model")


@model_app.command("measure", epilog="Example: tasuki model measure --mpi openmpi --ranks 2,8")
def measure(
    mpi: options.Mpi = "all",
    ranks: Annotated[
        str, typer.Option(help="Numbers of ranks, each measured and kept apart.")
    ] = "2",
    placement: Annotated[
        int | None,
        typer.Option(min=1, help="Take so many ranks for a node. Default: what the host says."),
    ] = None,
    launcher: Annotated[
        str | None,
        typer.Option(
            help="Start the ranks by this command, such as 'srun -N 2 -n 64'; all nodes need to "
            "see the folder for temporary files (TMPDIR)."
        ),
    ] = None,
    largest: Annotated[str, typer.Option(help="Bytes of the largest message.")] = "1M",
    seconds: Annotated[
        float, typer.Option(min=0.001, help="Time for each size and function.")
    ] = 0.05,
    output: Annotated[
        Path | None, typer.Option(help="Write to this file, not to the cache directory.")
    ] = None,
    busy: options.Busy = False,
) -> None:
    """Measure latency, overheads and gap of an MPI, and keep them for later runs and predictions.

    Pairs on one node, and across nodes where the ranks are on several; all pairs at once, because
    the ranks of a collective share a node too. Sizes are added until straight lines between them
    are within 5 %, or the noise; where that is not reached it is told. On this machine also from
    how many bytes on messages by shared memory take another way.
    """
    hosts = options.parsed(options.parse_hosts, mpi)
    counts = options.parsed(parse_counts, ranks)
    most = options.parsed(parse_size, largest)
    if any(count < 2 for count in counts):
        fail("there are no pairs to measure: expected --ranks from 2 on")
    if output is not None and len(hosts) * len(counts) > 1:
        fail("one file holds one measurement: name one MPI by --mpi, and one number by --ranks")
    words = _launcher_words(launcher) if launcher else None
    core()
    if output is None:
        check_cache_can_be_written(instead="--output")
    check_target("--output", output)
    check_is_quiet(busy)
    # Who brings a launcher has other nodes measured than this one.
    thresholds = {} if words else _measure_thresholds(seconds)
    for host in hosts:
        for count in counts:
            try:
                text = _measure(host, count, seconds, most, placement, words)
            except (ProgramError, OSError) as error:
                fail(_reason(error), FAILED)
            text = with_thresholds(text, thresholds)
            try:
                path = keep(text, output)
            except OSError as error:
                where = f"--output {output}" if output else "the cache directory"
                fail(f"{where} cannot be written: {error.strerror or error}", FAILED)
            fingerprint = core().read_machine(text)["fingerprint"]
            console.print(f"{fingerprint}\n  kept in {path}", highlight=False, soft_wrap=True)


def _measure_thresholds(seconds: float) -> dict[str, int]:
    try:
        with temporary_folder() as folder:
            return measure_thresholds(seconds, Path(folder))
    except Refused as reason:
        notes.print(f"Ways by shared memory are not measured: {reason}", highlight=False)
        return {}
    except (ProgramError, OSError) as error:
        fail(_reason(error), FAILED)


def _launcher_words(launcher: str) -> list[str]:
    """Ends the command if they are no command that is there."""
    try:
        words = shlex.split(launcher)
    except ValueError as error:
        fail(f"--launcher {launcher}: {error}; expected a command as a shell reads it")
    if not words or shutil.which(words[0]) is None:
        fail(f"--launcher {launcher}: no such program; expected one on PATH, or its path")
    return words


def _reason(error: Exception) -> str:
    """Why a program did not run, in words."""
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)


def _measure(
    host: Host,
    ranks: int,
    seconds: float,
    largest: int,
    ranks_per_node: int | None,
    launcher: list[str] | None,
) -> str:
    columns = SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn()
    with (
        temporary_folder() as folder,
        Progress(*columns, console=notes) as progress,
    ):
        task = progress.add_task(f"{host.name}, {ranks} ranks: starting")
        asked = 0

        def tell(place: str, size: int) -> None:
            nonlocal asked
            asked += 1
            progress.update(
                task,
                description=f"{host.name}, {ranks} ranks: question {asked}, {place} "
                f"{size_text(size)}",
            )

        program = compile_measurement(host, Path(folder))
        run = start_measurement(host, program, ranks, seconds, ranks_per_node, launcher)
        with run as measurement:
            return measure_machine(
                measurement,
                largest,
                tell,
                lambda sentence: notes.print(
                    f"{host.name}, {ranks} ranks, {sentence}", highlight=False
                ),
            )


@model_app.command("list", epilog="Example: tasuki model list")
def list_machines(json: JsonOption = None) -> None:
    """List what was measured and kept, and the machines that exist only as numbers."""
    texts, is_complete = readable_files()
    kept = [
        {"file": str(path), "fingerprint": core().read_machine(text)["fingerprint"]}
        for path, text in texts.items()
    ]
    machines = core().described_machines()
    if not wrote_to_screen({"kept": kept, "described": machines}, json):
        _print_machines(kept, machines)
    if not is_complete:
        raise typer.Exit(FAILED)


def _print_machines(kept: list[dict[str, str]], machines: list[dict[str, Any]]) -> None:
    for row in kept:
        console.print(f"{row['fingerprint']}\n  {row['file']}", highlight=False, soft_wrap=True)
    if not kept:
        console.print(f"Nothing is kept for this machine: {MEASURE}", highlight=False)
    table = Table("described machine", "ranks", "placement", "")
    for row in machines:
        table.add_row(row["name"], str(row["ranks"]), row["placement"], row["sentence"])
    console.print(table)


@model_app.command("show", epilog="Example: tasuki model show --picture plogp.png")
def show(
    machine: Annotated[
        str | None,
        typer.Argument(
            help="A file of parameters, or a described machine (tasuki model list). Default: what "
            "was measured last."
        ),
    ] = None,
    json: JsonOption = None,
    picture: PictureOption = None,
) -> None:
    """Show latency, overheads and gap of a machine, as table and plot."""
    text = _measured_last() if machine is None else named_parameters(machine).text
    parameters = core().read_machine(text)
    if not wrote_to_screen(parameters, json):
        console.print(report.parameter_table(parameters))
    if picture is not None:
        report.draw_parameters(parameters, picture)
        notes.print(f"wrote {picture}", highlight=False)


def _measured_last() -> str:
    texts, is_complete = readable_files()
    for text in texts.values():
        return text
    if not is_complete:
        raise typer.Exit(FAILED)
    fail(f"nothing was measured yet: `{MEASURE}`, or name a machine", FAILED)


@model_app.command(
    "predict", epilog="Example: tasuki model predict alltoall --ranks 32 --sizes 64:1M"
)
def predict(
    collective: Annotated[str, typer.Argument(help="alltoall, bcast, ...: see `tasuki list`.")],
    ranks: Annotated[
        int, typer.Option(min=1, max=MOST_RANKS, help="Ranks of the communicator.")
    ] = 32,
    placement: Annotated[
        str | None, typer.Option(help="NODESxRANKS or the ranks of a node. Default: one node.")
    ] = None,
    sizes: Annotated[
        str,
        typer.Option(
            help="Bytes: of a block of alltoall, gather and scatter, of all blocks of allgather "
            "and reduce-scatter, of the vector of others."
        ),
    ] = "64:1M",
    memory: Annotated[
        bool, typer.Option(help="Also with messages inside a node carried by memory.")
    ] = True,
    mpi: Annotated[
        str | None,
        typer.Option(help="Predict for this MPI of this machine, as `tasuki doctor` names it."),
    ] = None,
    machine: Annotated[
        str | None,
        typer.Option(
            help="A file of parameters, or a described machine. Default: what was measured for "
            "such a run on this machine, else primergy."
        ),
    ] = None,
    json: JsonOption = None,
    picture: PictureOption = None,
) -> None:
    """Predict every candidate of a run: a line over the sizes, and where the best changes."""
    try:
        wanted = parse_sizes(sizes)
        parameters = _wanted_parameters(mpi, machine, ranks, placement or str(ranks))
        lines = core().predict(
            collective, ranks, placement or str(ranks), wanted, parameters.text, [], memory
        )
    except ValueError as error:
        fail(str(error))
    if not lines:
        known = sorted({row["collective"] for row in core().algorithms()})
        fail(f'no algorithm for "{collective}"; there are algorithms for {", ".join(known)}')
    crossovers = report.crossovers(wanted, lines)
    if json is not None:
        write_json(
            {
                "collective": collective,
                "ranks": ranks,
                "placement": placement or str(ranks),
                "machine": parameters.source,
                "sizes": wanted,
                "seconds": lines,
                "best": crossovers,
            },
            json,
        )
    if not is_screen(json):
        console.print(report.prediction_table(wanted, lines))
        for row in crossovers:
            console.print(f"from {size_text(row['bytes'])}: {row['algorithm']}", highlight=False)
        console.print(f"Parameters: {parameters.source}", highlight=False)
    if picture is not None:
        title = f"{collective}, {ranks} ranks, {parameters.source}"
        report.draw_predictions(wanted, lines, crossovers, title, picture)
        notes.print(f"wrote {picture}", highlight=False)


def _wanted_parameters(
    mpi: str | None, machine: str | None, ranks: int, placement: str
) -> Parameters:
    """Those that were named; else those of the MPI, or of any MPI of this machine."""
    if machine is not None:
        return named_parameters(machine)
    is_any_kept = bool(core().cache_directory() and kept_files())
    hosts = options.parsed(options.parse_hosts, mpi or "all") if mpi or is_any_kept else []
    found = [parameters_of_host(host, ranks, placement) for host in hosts]
    for parameters in found:
        if parameters.measured or mpi:
            return parameters
    return named_parameters("primergy")
