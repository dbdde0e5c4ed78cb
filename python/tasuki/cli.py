"""The command line: `tasuki VERB`. The verbs are the modules of tasuki.commands."""

from __future__ import annotations

import importlib
import pkgutil

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


@app.callback()
def _verbs() -> None:
    """Keep `tasuki VERB` a group whatever the number of verbs."""


for _module in pkgutil.iter_modules(commands.__path__):
    importlib.import_module(f"tasuki.commands.{_module.name}").register(app)
