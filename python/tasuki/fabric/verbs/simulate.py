"""`tasuki fabric simulate`: one all-to-all of one job."""

from __future__ import annotations

import time
from typing import Annotated

import numpy as np
import typer
from rich.table import Table

from tasuki.fabric import bandwidth, picture
from tasuki.fabric.link_loads import total_loads
from tasuki.fabric.model import Model
from tasuki.fabric.plan import METHODS, Planner
from tasuki.fabric.source import load_routes
from tasuki.fabric.verbs.common import (
    FabricOption,
    HostsOption,
    JitterOption,
    JsonOption,
    LftsOption,
    ModelOption,
    NodesOption,
    PeakOption,
    PictureOption,
    RatioOption,
    SeedOption,
    errors_for_people,
    job_of_several,
)
from tasuki.output import console, wrote_to_screen

EXAMPLE = "Example: tasuki fabric simulate --fabric 18-ary-2-tree --nodes 648 --method stock"


def simulate(
    fabric: FabricOption,
    hosts: HostsOption = None,
    nodes: NodesOption = None,
    method: Annotated[str, typer.Option(help=", ".join(METHODS))] = "stock",
    lfts: LftsOption = None,
    model: ModelOption = "synchronised",
    link_ratio: RatioOption = bandwidth.FITTED_LINK_RATIO,
    peak: PeakOption = bandwidth.PAPER_PEAK,
    jitter: JitterOption = 0.0,
    seed: SeedOption = 1,
    picture_file: PictureOption = None,
    json_file: JsonOption = None,
) -> None:
    """One all-to-all of one job: loads of links, hot spots, and the bandwidth that follows."""
    with errors_for_people():
        how = Model(model, link_ratio, peak, jitter, seed)
        routes = load_routes(fabric, lfts)
        job = job_of_several(routes, hosts, nodes, seed)
        begin = time.perf_counter()
        plan = Planner(routes).plan(job.hosts, method)
        planned = time.perf_counter()
        rates, all_peaks = how.apply(routes, [plan])
        rate, peaks = float(rates[0]), all_peaks[0]
        simulated = time.perf_counter()
        loads = total_loads(routes, plan.choice.hosts, plan.offsets, plan.stages)
        if picture_file:
            picture.draw_fabric(routes.fabric, picture_file, loads)
    busiest = np.argsort(-loads, kind="stable")[:5]
    document = {
        "fabric": routes.fabric.name,
        "method": method,
        "model": vars(how),
        "hosts": job.hosts.size,
        "stages": len(plan.stages),
        "stages_with_hot_spots": int((peaks > 1).sum()),
        "worst_load": int(peaks.max(initial=0)),
        "stages_by_worst_load": np.bincount(peaks, minlength=2).tolist(),
        "bandwidth": rate,
        "fraction_of_peak": rate / how.peak,
        "busiest_links": [
            {"link": routes.fabric.link_name(link), "messages": int(loads[link])}
            for link in busiest
            if loads[link]
        ],
        "seconds_to_plan": planned - begin,
        "seconds_to_simulate": simulated - planned,
    }
    if wrote_to_screen(document, json_file):
        return
    table = Table(title=f"{method} on {routes.fabric.name}", show_header=False)
    table.add_row("hosts", str(document["hosts"]))
    table.add_row("stages", str(document["stages"]))
    table.add_row("stages with a hot spot", str(document["stages_with_hot_spots"]))
    table.add_row("most messages on one link in a stage", str(document["worst_load"]))
    table.add_row("bandwidth per host", f"{rate:.0f} MB/s of {how.peak:.0f}")
    for entry in document["busiest_links"]:
        table.add_row(f"busy: {entry['link']}", f"{entry['messages']} messages")
    table.add_row("planned in", f"{document['seconds_to_plan']:.2f} s")
    table.add_row("simulated in", f"{document['seconds_to_simulate']:.2f} s")
    console.print(table)


def register(app: typer.Typer) -> None:
    app.command("simulate", epilog=EXAMPLE)(simulate)
