"""Options, errors and progress that several verbs share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tasuki.fabric.error import FabricError
from tasuki.fabric.job import Job, read_hostfile
from tasuki.fabric.paths import Routes
from tasuki.fabric.plan import METHODS
from tasuki.fabric.study import random_jobs
from tasuki.output import check_json, fail, notes
from tasuki.picture import check_picture

FABRIC_HELP = (
    "K-ary-N-tree or xgft(...), with :nodes=N, :without=HOST+HOST, :cut=SWITCH-SWITCH; "
    "or a file that ibnetdiscover wrote"
)
ALL_METHODS = ", ".join(METHODS)

FabricOption = Annotated[str, typer.Option("--fabric", help=FABRIC_HELP)]
LftsOption = Annotated[
    Path | None,
    typer.Option(help="Forwarding tables that dump_lfts or dump_fts wrote. Default: planned ones."),
]
HostsOption = Annotated[
    Path | None, typer.Option(help="Hostfile of the job: HOST, HOST:N or HOST slots=N.")
]
NodesOption = Annotated[
    int | None, typer.Option(help="Without --hosts: that many random nodes. Default: all.")
]
MethodsOption = Annotated[str, typer.Option(help=f"Separated by commas: {ALL_METHODS}.")]
JsonOption = Annotated[
    Path | None,
    typer.Option(
        "--json", callback=check_json, help="Write the result as JSON; - is standard output."
    ),
]
PictureOption = Annotated[
    Path | None,
    typer.Option(
        "--picture", callback=check_picture, help="Draw into this file (.png, .svg, .pdf)."
    ),
]
ModelOption = Annotated[str, typer.Option(help="synchronised or rendezvous.")]
RatioOption = Annotated[
    float,
    typer.Option(help="Rate of a link between switches over the peak rate of a host."),
]
PeakOption = Annotated[float, typer.Option(help="Peak of a host in MB/s.")]
JitterOption = Annotated[
    float, typer.Option(help="Mean random lengthening of messages: 0.05 is 5 % (rendezvous).")
]
SeedOption = Annotated[int, typer.Option(help="Of random jobs and of jitter.")]
ChosenByOption = Annotated[
    str, typer.Option(help="Who chooses the LID: receiver (as in the paper) or sender (UCX).")
]


@contextmanager
def errors_for_people() -> Iterator[None]:
    """Ends the command with the message of a FabricError, or of a file that cannot be written."""
    try:
        yield
    except FabricError as error:
        fail(str(error))
    except OSError as error:
        if error.filename is None:
            raise  # a full disk: tasuki.cli
        fail(f"{error.filename}: {error.strerror}")


def the_job(routes: Routes, hosts: Path | None, nodes: int | None, seed: int) -> Job:
    """The job of the hostfile, or a random one."""
    if hosts is not None:
        return read_hostfile(hosts, routes.fabric)
    everywhere = len(routes.fabric.hosts)
    chosen = random_jobs(everywhere, everywhere if nodes is None else nodes, 1, seed)[0]
    return Job(chosen, (1,) * chosen.size)


def job_of_several(routes: Routes, hosts: Path | None, nodes: int | None, seed: int) -> Job:
    """As the_job(); FabricError for a single host, which has nobody to send to."""
    job = the_job(routes, hosts, nodes, seed)
    if job.hosts.size < 2:
        raise FabricError(f"{hosts}: names one host; an all-to-all needs two at least")
    return job


def names_in(methods: str) -> list[str]:
    return [name.strip() for name in methods.split(",") if name.strip()]


def chosen_by_sender(chosen_by: str) -> bool:
    if chosen_by not in ("sender", "receiver"):
        raise FabricError(f"--chosen-by {chosen_by}: expected sender or receiver")
    return chosen_by == "sender"


def host_names(routes: Routes, hosts: np.ndarray) -> tuple[str, ...]:
    return tuple(routes.fabric.hosts[host].name for host in hosts)


def progress_bar() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=notes,
        transient=True,
    )
