"""Command line options that benchmarks share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, TypeVar

import typer

from tasuki.hosts import Host, find_hosts, host_named
from tasuki.output import check_json, fail
from tasuki.picture import check_picture

Value = TypeVar("Value")

Mpi = Annotated[
    str,
    typer.Option(help="MPI libraries, separated by commas, as `tasuki doctor` names them; or all."),
]
Ranks = Annotated[str, typer.Option(help="Numbers of ranks.")]
Busy = Annotated[bool, typer.Option("--busy", help="Measure even if the machine is busy.")]
Json = Annotated[
    Path | None,
    typer.Option(
        "--json", callback=check_json, help="Write the results here as JSON; - is the screen."
    ),
]
Picture = Annotated[
    Path | None,
    typer.Option(callback=check_picture, help="Draw times over sizes here (.png, .svg or .pdf)."),
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
    return [host_named(name) for name in names_in(text)]


def names_in(text: str) -> list[str]:
    """What stands between the commas, each once."""
    return list(dict.fromkeys(name.strip() for name in text.split(",")))
