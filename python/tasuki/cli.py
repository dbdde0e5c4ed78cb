"""The command line: `tasuki VERB`. The verbs are the modules of tasuki.commands."""

from __future__ import annotations

import errno
import importlib
import os
import pkgutil
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from types import FrameType
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from tasuki import commands
from tasuki.installation import include_folder, launcher
from tasuki.output import FAILED, fail

OUT_OF_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


class Verbs(TyperGroup):
    """Ends every verb, and the help, with a message for what can befall them all."""

    def make_context(self, *arguments: Any, **options: Any) -> typer.Context:
        with _told():
            return super().make_context(*arguments, **options)

    def invoke(self, context: typer.Context) -> Any:
        with _told():
            return super().invoke(context)


@contextmanager
def _told() -> Iterator[None]:
    """Ends the command with a message if somebody interrupts it, or if its output is full."""
    try:
        try:
            yield
        finally:
            if sys.stdout is not None:
                sys.stdout.flush()  # where it can still be told that it failed
    except KeyboardInterrupt:
        fail("interrupted", 128 + signal.SIGINT)
    except OSError as error:
        if error.errno not in OUT_OF_ROOM:
            raise
        _give_up_output()
        fail(
            f"what was to be written could not be: {error.strerror}. Standard output and the "
            "folder for temporary files (TMPDIR) need room",
            FAILED,
        )


def _give_up_output() -> None:
    """What is left for a full standard output goes nowhere, so that Python does not fail again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


app = typer.Typer(
    name="tasuki",
    cls=Verbs,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
    help="A layer between an MPI program and its MPI library.\n\n"
    "To start a program under it: mpirun -n 4 tasuki run [OPTIONS] PROGRAM (tasuki run --help).",
)


_ENDINGS = (signal.SIGTERM, signal.SIGHUP)
_SECONDS_TO_LEAVE = 10.0  # who tells us once more after that is listened to again
_leaving_since = -_SECONDS_TO_LEAVE


def _leave(number: int, _frame: FrameType | None) -> None:
    # `timeout make` tells us twice: by the group, and by make. What the first has begun to end must
    # not be left half ended by the second.
    global _leaving_since
    now = time.monotonic()
    if now < _leaving_since + _SECONDS_TO_LEAVE:
        return
    _leaving_since = now
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


def _tell_version(is_asked: bool) -> None:
    if is_asked:
        typer.echo(f"tasuki {version('tasuki')}")
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
    tell_version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_tell_version, is_eager=True, help="Tell the version of Tasuki."
        ),
    ] = False,
) -> None:
    """Keep `tasuki VERB` a group whatever the number of verbs.

    Who ends a command (`timeout`, a closed terminal) ends the MPI programs that it has started,
    too: these run in sessions of their own, and would go on for ever.
    """
    for ending in _ENDINGS:
        if signal.getsignal(ending) != signal.SIG_IGN:  # as `nohup` wants it
            signal.signal(ending, _leave)


for _module in pkgutil.iter_modules(commands.__path__):
    importlib.import_module(f"tasuki.commands.{_module.name}").register(app)
