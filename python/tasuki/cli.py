"""The command line: `tasuki VERB`. The verbs are the modules of tasuki.commands."""

from __future__ import annotations

import importlib
import pkgutil
import signal
import sys
from types import FrameType
from typing import Annotated

import typer

from tasuki import commands
from tasuki.installation import include_folder, launcher

app = typer.Typer(
    name="tasuki",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    help="A layer between an MPI program and its MPI library.\n\n"
    "To start a program under it: mpirun -n 4 tasuki run [OPTIONS] PROGRAM (tasuki run --help).",
)


def _leave(number: int, _frame: FrameType | None) -> None:
    sys.exit(128 + number)


def _tell_include_folder(is_asked: bool) -> None:
    if not is_asked:
        return
    command = launcher()
    folder = include_folder(command) if command else None
    if folder is None:
        typer.echo("tasuki.h is not installed beside this tasuki", err=True)
        raise typer.Exit(1)
    typer.echo(folder)
    raise typer.Exit()


@app.callback()
def _verbs(
    include_dir: Annotated[
        bool,
        typer.Option(
            "--include-dir",
            callback=_tell_include_folder,
            is_eager=True,
            help="Tell the folder of tasuki.h and of the Fortran module tasuki.f90.",
        ),
    ] = False,
) -> None:
    """Keep `tasuki VERB` a group whatever the number of verbs.

    Who ends a command (`timeout`, a closed terminal) ends the MPI programs that it has started,
    too: these run in sessions of their own, and would go on for ever.
    """
    for ending in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(ending) != signal.SIG_IGN:  # as `nohup` wants it
            signal.signal(ending, _leave)


for _module in pkgutil.iter_modules(commands.__path__):
    importlib.import_module(f"tasuki.commands.{_module.name}").register(app)
