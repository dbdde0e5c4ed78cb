"""Command line options that benchmarks share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from tasuki.hosts import Host, find_hosts, host_named
from tasuki.output import fail

Value = TypeVar("Value")

Mpi = Annotated[
    str,
    typer.Option(help="MPI libraries, separated by commas, as `tasuki doctor` names them; or all."),
]
Busy = Annotated[bool, typer.Option("--busy", help="Measure even if the machine is busy.")]
Json = Annotated[
    Path | None, typer.Option("--json", help="Write the results here as JSON; - is the screen.")
]


def parsed(parse: Callable[[str], Value], text: str) -> Value:
    """parse(text), where a ValueError or LookupError ends the command with its message."""
    try:
        return parse(text)
    except (ValueError, LookupError) as error:
        fail(str(error.args[0]))


def parse_hosts(text: str) -> list[Host]:
    """The hosts of a list of names; `all` is every MPI of this machine. LookupError otherwise."""
    if text == "all":
        if hosts := find_hosts():
            return hosts
        raise LookupError(
            "no MPI was found on this machine: `tasuki doctor` tells where to get one"
        )
    return [host_named(name.strip()) for name in dict.fromkeys(text.split(","))]
