"""`tasuki fabric schedule`: an all-to-all in stages without hot spots."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from tasuki.fabric.contention_free.schedule import flaws
from tasuki.fabric.error import FabricError
from tasuki.fabric.plan import Planner
from tasuki.fabric.source import load_routes
from tasuki.fabric.stage_table import stage_table
from tasuki.fabric.verbs.common import (
    ChosenByOption,
    FabricOption,
    HostsOption,
    JsonOption,
    LftsOption,
    NodesOption,
    SeedOption,
    chosen_by_sender,
    errors_for_people,
    host_names,
    the_job,
)
from tasuki.output import FAILED, check_target, console, fail, wrote_to_screen

EXAMPLE = (
    "Example: tasuki fabric schedule --fabric 6-ary-2-tree:nodes=30 --hosts job.hosts --out "
    "job.stages"
)


def schedule(
    fabric: FabricOption,
    hosts: HostsOption = None,
    nodes: NodesOption = None,
    method: Annotated[
        str, typer.Option(help="contention-free or contention-free-stock (one LID per host).")
    ] = "contention-free",
    chosen_by: ChosenByOption = "receiver",
    lfts: LftsOption = None,
    seed: SeedOption = 1,
    out: Annotated[Path | None, typer.Option(help="Write the stage table to this file.")] = None,
    json_file: JsonOption = None,
) -> None:
    """Builds an all-to-all in stages without hot spots, and proves it stage by stage."""
    check_target("--out", out)
    with errors_for_people():
        if not method.startswith("contention-free"):
            raise FabricError(
                f"--method {method}: expected contention-free or contention-free-stock"
            )
        routes = load_routes(fabric, lfts)
        job = the_job(routes, hosts, nodes, seed)
        begin = time.perf_counter()
        planner = Planner(routes, chosen_by_sender(chosen_by))
        plan = planner.plan(job.hosts, method)
        seconds = time.perf_counter() - begin
        found = flaws(routes, plan.choice.hosts, plan.offsets, plan.stages, planner.by_sender)
        if found:
            fail("the schedule is wrong, which is our mistake: " + "; ".join(found), FAILED)
        names = host_names(routes, plan.choice.hosts)
        if out is not None:
            out.write_text(stage_table(names, plan.offsets, plan.stages, planner.by_sender))
    document = {
        "fabric": routes.fabric.name,
        "method": method,
        "hosts": len(names),
        "stages": len(plan.stages),
        "least_stages": plan.least_stages,
        "is_shortest": len(plan.stages) == plan.least_stages,
        "seconds": seconds,
    }
    if wrote_to_screen(document, json_file):
        return
    console.print(
        f"{len(names)} hosts, {len(plan.stages)} stages (no schedule without hot spots has fewer "
        f"than {plan.least_stages}), built in {seconds:.2f} s; every pair once, every stage a "
        "permutation, no link with two messages: checked",
        highlight=False,
        soft_wrap=True,
    )


def register(app: typer.Typer) -> None:
    app.command("schedule", epilog=EXAMPLE)(schedule)
