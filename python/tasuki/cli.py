"""The command line: `tasuki VERB`. The verbs are the modules of tasuki.commands."""

from __future__ import annotations

import importlib
import pkgutil
import signal
import sys
from types import FrameType

import typer

from tasuki import commands

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


@app.callback()
def _verbs() -> None:
    """Keep `tasuki VERB` a group whatever the number of verbs.

    Who ends a command (`timeout`, a closed terminal) ends the MPI programs that it has started,
    too: these run in sessions of their own, and would go on for ever.
    """
    for ending in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(ending) != signal.SIG_IGN:  # as `nohup` wants it
            signal.signal(ending, _leave)


for _module in pkgutil.iter_modules(commands.__path__):
    importlib.import_module(f"tasuki.commands.{_module.name}").register(app)
