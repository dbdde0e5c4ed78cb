"""`tasuki bench program`: a whole program without Tasuki and under it, in turn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.progress import Progress

from tasuki.bench.support import options, program_report
from tasuki.bench.support.busy_processes import busy_processes
from tasuki.bench.support.outcome import deliver, keeping
from tasuki.bench.support.program_runs import (
    LEARNT,
    WAYS,
    Program,
    Run,
    rows_of,
    without_tasuki,
)
from tasuki.bench.support.report import check_is_quiet, document
from tasuki.bench.support.turns import in_turn
from tasuki.output import fail, notes
from tasuki.picture import check_picture
from tasuki.temporary import temporary_folder


def register(app: typer.Typer) -> None:
    app.command(
        "program",
        context_settings={"allow_interspersed_args": False},
        epilog="Example: tasuki bench program --rounds 7 mpirun -n 4 tasuki run ./app input",
    )(program)


def program(
    command: Annotated[
        list[str],
        typer.Argument(
            metavar="COMMAND...",
            help="What you type to run it under Tasuki: LAUNCHER tasuki run [OPTIONS] PROGRAM. "
            "Without Tasuki it is the same without the words `tasuki run [OPTIONS]`.",
        ),
    ],
    rounds: Annotated[
        int, typer.Option(min=1, help="In each, every way to run the program has its turn.")
    ] = 5,
    limit: Annotated[
        float,
        typer.Option(min=1.0, max=1e7, help="Seconds after which a run is ended, and has failed."),
    ] = 3600.0,
    busy: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Keep cores busy by so many processes beside the program; measures even if the "
            "machine is busy already, which 0 is for.",
        ),
    ] = None,
    json_file: options.Json = None,
    picture: Annotated[
        Path | None,
        typer.Option(
            callback=check_picture, help="Draw what each run took here (.png, .svg or .pdf)."
        ),
    ] = None,
) -> None:
    """Time a program of yours without Tasuki and under it, in turn: is it faster, by how much?

    Under Tasuki it runs twice in each round: "learning" knows nothing of earlier runs, "learnt"
    begins with what a first run, which is not timed, and those before it have kept. Times are from
    the start of the launcher to its end. It is also told how many lines of the output differ from
    those of the first run without Tasuki: a program that prints times differs from itself, too.
    What is redirected to the command from a file is given to each run.
    """
    natively = without_tasuki(command)
    if natively is None:
        fail(
            f"`{' '.join(command)}` has no words `tasuki run`: write what you type to run the "
            "program under Tasuki, such as mpirun -n 4 tasuki run ./app"
        )
    check_is_quiet(busy is not None)
    runs: list[Run] = []
    with (
        temporary_folder(ignore_cleanup_errors=True) as folder,
        busy_processes(busy or 0) as beside,
        Progress(console=notes) as progress,
        keeping(runs) as measuring,
    ):
        typed = Program(command, natively, Path(folder), limit)
        task = progress.add_task("a first run, for what it learns", total=1 + len(WAYS) * rounds)
        typed.run(LEARNT)
        progress.advance(task)
        for number in range(rounds):
            for way in in_turn(WAYS, number):
                progress.update(task, description=f"{way}, {number + 1} of {rounds}")
                runs.append(typed.run(way))
                progress.advance(task)
    for remark in typed.remarks:
        notes.print(remark, highlight=False)
    rows = rows_of(runs)
    results = document("program", [], [], rows, program_report.summary(rows))
    results["command"] = command
    results["machine"]["busy_processes"] = len(beside)
    deliver(
        results,
        json_file,
        program_report.print_table,
        program_report.draw,
        picture,
        measuring=measuring,
    )
