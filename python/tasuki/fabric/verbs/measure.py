"""`tasuki fabric measure`: schedules executed on a virtual cluster."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.table import Table

from tasuki.bench.support.programs import ProgramError
from tasuki.fabric.error import FabricError
from tasuki.fabric.job import Job
from tasuki.fabric.model import Model
from tasuki.fabric.plan import Planner
from tasuki.fabric.source import load_routes
from tasuki.fabric.verbs.common import (
    FabricOption,
    HostsOption,
    JsonOption,
    LftsOption,
    MethodsOption,
    NodesOption,
    SeedOption,
    errors_for_people,
    host_names,
    job_of_several,
    names_in,
    progress_bar,
)
from tasuki.fabric.virtual_cluster.cluster import VirtualCluster
from tasuki.fabric.virtual_cluster.measure import PAYLOAD, measure
from tasuki.fabric.virtual_cluster.mpi_run import measure_by_mpi
from tasuki.hosts import host_named
from tasuki.output import console, wrote_to_screen
from tasuki.temporary import temporary_folder

EXAMPLE = (
    "Example: tasuki fabric measure --fabric 6-ary-2-tree:nodes=30 --nodes 16 --methods "
    "stock,paper,contention-free"
)


def measure_methods(
    fabric: FabricOption,
    hosts: HostsOption = None,
    nodes: NodesOption = None,
    contiguous: Annotated[
        bool, typer.Option("--contiguous", help="Instead of random nodes the first ones.")
    ] = False,
    methods: MethodsOption = "stock,paper,contention-free",
    lfts: LftsOption = None,
    rate: Annotated[float, typer.Option(help="Of every link, in Mbit/s.", min=1)] = 20.0,
    size: Annotated[
        int, typer.Option("--bytes", help="From each host to each other.", min=1)
    ] = 250_000,
    runs: Annotated[int, typer.Option(help="Of each method, in turn.", min=1)] = 5,
    by_mpi: Annotated[
        bool,
        typer.Option(
            "--mpi", help="Open MPI runs the rows of the table (two-level-ring, contention-free)."
        ),
    ] = False,
    seed: SeedOption = 1,
    json_file: JsonOption = None,
) -> None:
    """Runs all-to-alls over TCP on a virtual cluster: network namespaces in the shape of a fabric,
    with slow links and static routes. Needs root."""
    with errors_for_people():
        routes = load_routes(fabric, lfts)
        job = job_of_several(routes, hosts, nodes, seed)
        if contiguous and hosts is None:
            job = Job(np.arange(job.hosts.size), job.slots)
        planner = Planner(routes)
        plans = {name: planner.plan(job.hosts, name) for name in names_in(methods)}
        model = Model("rendezvous", 1.0, rate / 8 * PAYLOAD)
        load = os.getloadavg()[0]
        megabytes = size * (job.hosts.size - 1) / 1e6
        with VirtualCluster(routes, job.hosts, rate) as cluster, progress_bar() as progress:
            if by_mpi:
                bar = progress.add_task("jobs of Open MPI", total=len(plans))
                results = _by_mpi(cluster, plans, size, runs, lambda: progress.advance(bar))
            else:
                bar = progress.add_task("runs", total=(runs + 1) * len(plans))
                times = measure(cluster, plans, size, runs, lambda: progress.advance(bar))
                results = {
                    name: {"median": np.median(t), "min": t.max(), "max": t.min()}
                    for name, t in times.items()
                }
    for name, result in results.items():
        for key, seconds in result.items():
            result[key] = megabytes / float(seconds)
        result["model"] = float(model.apply(routes, [plans[name]])[0][0])
        result["stages"] = len(plans[name].stages)
    document = {
        "fabric": routes.fabric.name,
        "hosts": host_names(routes, job.hosts),
        "megabits": rate,
        "bytes": size,
        "runs": runs,
        "by": "Open MPI" if by_mpi else "sockets",
        "load": load,
        "measured": results,
    }
    if wrote_to_screen(document, json_file):
        return
    table = Table(title=f"MB/s per host, {job.hosts.size} hosts, links of {rate:g} Mbit/s")
    for heading in ("method", "stages", "median", "min", "max", "model"):
        table.add_column(heading, justify="left" if heading == "method" else "right")
    for name, result in results.items():
        numbers = (
            f"{result[key]:.2f}" if key in result else ""
            for key in ("median", "min", "max", "model")
        )
        table.add_row(name, str(result["stages"]), *numbers)
    console.print(table)
    console.print(f"load of this machine at the beginning: {load:.1f}")


def _by_mpi(cluster, plans, size, runs, on_progress) -> dict[str, dict[str, float]]:
    """Seconds by name and key. The benchmark gives no single times."""
    try:
        with temporary_folder() as folder:
            times = measure_by_mpi(
                cluster, plans, host_named("openmpi"), size, runs, Path(folder), on_progress
            )
    except (ProgramError, LookupError) as error:
        raise FabricError(str(error)) from error
    return {name: {"median": t.median, "max": t.least} for name, t in times.items()}


def register(app: typer.Typer) -> None:
    app.command("measure", epilog=EXAMPLE)(measure_methods)
