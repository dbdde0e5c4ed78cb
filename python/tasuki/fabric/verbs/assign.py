"""`tasuki fabric assign`: roots and LIDs for a job, and the files that make a run use them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.table import Table

from tasuki.fabric import launch
from tasuki.fabric.host_routes import routes_file
from tasuki.fabric.job import Job
from tasuki.fabric.link_loads import stage_peaks
from tasuki.fabric.plan import METHODS, Planner
from tasuki.fabric.source import load_routes
from tasuki.fabric.verbs.common import (
    ChosenByOption,
    FabricOption,
    JsonOption,
    LftsOption,
    chosen_by_sender,
    errors_for_people,
    host_names,
    the_job,
)
from tasuki.output import check_target, console, fail, notes, write_file, wrote_to_screen

EXAMPLE = (
    "Example: tasuki fabric assign --fabric net.txt --lfts lfts.txt --hosts job.hosts "
    "--method contention-free --out job/"
)


def assign(
    fabric: FabricOption,
    hosts: Annotated[
        Path | None,
        typer.Option(help="Hostfile: HOST, HOST:N or HOST slots=N. Default: all hosts."),
    ] = None,
    method: Annotated[str, typer.Option(help=", ".join(METHODS))] = "contention-free",
    chosen_by: ChosenByOption = "receiver",
    lfts: LftsOption = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for hostfile, machinefile, rankfile, environment, routes."),
    ] = None,
    routes_out: Annotated[
        Path | None,
        typer.Option("--routes", help="Write only the file that `tasuki run --fabric` takes."),
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """Chooses root and LID of each host of a job, and writes what makes a run use them."""
    if out is not None and out.exists() and not out.is_dir():
        fail(f"--out {out}: that is a file; expected a folder, in which files are written")
    check_target("--routes", routes_out)
    with errors_for_people():
        routes = load_routes(fabric, lfts)
        job = the_job(routes, hosts, None, seed=0)
        planner = Planner(routes, chosen_by_sender(chosen_by))
        plan = planner.plan(job.hosts, method)
        stages, by_sender = plan.stages, planner.by_sender
        peaks = stage_peaks(routes, plan.choice.hosts, plan.offsets, stages, by_sender)
        slots = _slots_in_order(job, plan.choice.hosts)
        names = host_names(routes, plan.choice.hosts)
        offsets = plan.offsets.tolist()
        if out is not None:
            files = {
                "hostfile": launch.hostfile(routes.fabric, plan.choice, slots),
                "machinefile": launch.machinefile(routes.fabric, plan.choice, slots),
                "rankfile": launch.rankfile(routes.fabric, plan.choice, slots),
                "with-lid-offset.sh": launch.environment(routes.fabric, plan.choice, offsets),
                "routes": routes_file(routes, plan.choice.hosts, plan.offsets, by_sender),
            }
            for name, text in files.items():
                write_file(out / name, text)
            (out / "with-lid-offset.sh").chmod(0o755)
        if routes_out is not None:
            text = routes_file(routes, plan.choice.hosts, plan.offsets, by_sender)
            routes_out.write_text(text)
    base = routes.tables.base_lid[plan.choice.hosts].tolist()
    document = {
        "fabric": routes.fabric.name,
        "method": method,
        "chosen_by": "sender" if by_sender else "receiver",
        "stages": len(stages),
        "stages_with_hot_spots": int((peaks > 1).sum()),
        "hosts": [
            {"rank": rank, "host": name, "root": root, "offset": offset, "lid": lid + offset}
            for rank, (name, root, offset, lid) in enumerate(
                zip(names, plan.choice.roots.tolist(), offsets, base, strict=True)
            )
        ],
    }
    if wrote_to_screen(document, json_file):
        return
    table = Table(title=f"{method}: {len(stages)} stages")
    for heading in ("place", "host", "root", "LID offset", "LID"):
        table.add_column(heading, justify="left" if heading == "host" else "right")
    for row in document["hosts"]:
        root = "-" if row["root"] < 0 else str(row["root"])
        table.add_row(str(row["rank"]), row["host"], root, str(row["offset"]), str(row["lid"]))
    console.print(table)
    console.print(f"stages with a hot spot: {document['stages_with_hot_spots']} of {len(stages)}")
    if out is not None:
        notes.print(f"written to {out}: {', '.join(files)}", highlight=False)
        notes.print(launch.HONOURED_BY, highlight=False)


def _slots_in_order(job: Job, order: np.ndarray) -> list[int]:
    slots = dict(zip(job.hosts.tolist(), job.slots, strict=True))
    return [slots[host] for host in order.tolist()]


def register(app: typer.Typer) -> None:
    app.command("assign", epilog=EXAMPLE)(assign)
