"""`tasuki run` is the native launcher's own verb; here it is only named, for the list of verbs."""

from __future__ import annotations

import os

import typer

from tasuki import installation
from tasuki.output import FAILED, fail


def register(app: typer.Typer) -> None:
    everything = {"allow_extra_args": True, "ignore_unknown_options": True}
    app.command("run", context_settings=everything, add_help_option=False)(run)


def run(context: typer.Context) -> None:
    """Run an MPI program with Tasuki before its MPI: mpirun -n 4 tasuki run ./app"""
    command = installation.launcher()
    if command is None:
        fail(
            "the native launcher was found neither in this Python's environment nor on PATH; "
            "`make demo` in the checkout builds and installs it",
            FAILED,
        )
    os.execv(command, [str(command), "run", *context.args])
