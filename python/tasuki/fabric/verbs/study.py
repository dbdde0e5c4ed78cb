"""`tasuki fabric study`: many jobs under every method."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.table import Table

from tasuki.fabric import bandwidth, picture
from tasuki.fabric.error import FabricError
from tasuki.fabric.model import Model
from tasuki.fabric.plan import METHODS, Planner
from tasuki.fabric.source import load_routes
from tasuki.fabric.study import contiguous_jobs, random_jobs, study
from tasuki.fabric.verbs.common import (
    FabricOption,
    JitterOption,
    JsonOption,
    LftsOption,
    MethodsOption,
    ModelOption,
    PeakOption,
    PictureOption,
    RatioOption,
    SeedOption,
    errors_for_people,
    names_in,
    progress_bar,
)
from tasuki.output import console, wrote_to_screen

EXAMPLE = (
    "Example: tasuki fabric study --fabric 6-ary-2-tree --nodes 16 --of 30 --sets 1000 "
    "--picture figure9.png"
)


def study_jobs(
    fabric: FabricOption,
    nodes: Annotated[int, typer.Option(help="Nodes of each random job.")] = 16,
    of: Annotated[
        int | None, typer.Option(help="Take them from the first so many hosts. Default: all.")
    ] = None,
    sets: Annotated[int, typer.Option(help="How many random jobs.", min=1)] = 1000,
    contiguous: Annotated[
        bool, typer.Option("--contiguous", help="Instead: hosts 0 .. n-1 for every n from 3.")
    ] = False,
    methods: MethodsOption = ", ".join(METHODS),
    lfts: LftsOption = None,
    model: ModelOption = "synchronised",
    link_ratio: RatioOption = bandwidth.FITTED_LINK_RATIO,
    peak: PeakOption = bandwidth.PAPER_PEAK,
    jitter: JitterOption = 0.0,
    seed: SeedOption = 1,
    picture_file: PictureOption = None,
    json_file: JsonOption = None,
) -> None:
    """Many jobs under every method: Figures 9 and 10 of the paper, and what goes beyond them."""
    with errors_for_people():
        how = Model(model, link_ratio, peak, jitter, seed)
        names = names_in(methods)
        routes = load_routes(fabric, lfts)
        planner = Planner(routes)
        for name in names:
            planner.check(name)
        available = of or len(routes.fabric.hosts)
        if available > len(routes.fabric.hosts):
            raise FabricError(f"--of {of}: {fabric} has {len(routes.fabric.hosts)} hosts")
        if contiguous:
            jobs = contiguous_jobs(available)
        else:
            jobs = random_jobs(available, nodes, sets, seed)
        with progress_bar() as progress:
            bar = progress.add_task("jobs", total=len(jobs) * len(names))
            outcomes = study(planner, jobs, names, how, lambda done: progress.advance(bar, done))
        if picture_file and contiguous:
            sizes = [job.size for job in jobs]
            picture.draw_by_size(outcomes, sizes, f"contiguous hosts of {fabric}", picture_file)
        elif picture_file:
            title = f"{sets} random jobs of {nodes} of {available} hosts, {fabric}"
            picture.draw_sorted(outcomes, title, picture_file)
    document: dict[str, Any] = {
        "fabric": fabric,
        "jobs": "contiguous" if contiguous else f"{sets} of {nodes} of {available}",
        "model": vars(how),
        "summary": {name: outcome.summary() for name, outcome in outcomes.items()},
    }
    if contiguous:
        document["by_nodes"] = {
            name: {
                str(job.size): rate
                for job, rate in zip(jobs, outcome.bandwidth.tolist(), strict=True)
            }
            for name, outcome in outcomes.items()
        }
    if wrote_to_screen(document, json_file):
        return
    table = Table(title=f"all-to-all bandwidth [MB/s], {document['jobs']}, {how.name} model")
    for heading in ("method", "mean", "min", "max", ">= 1500", "without hot spot"):
        table.add_column(heading, justify="left" if heading == "method" else "right")
    for name, summary in document["summary"].items():
        table.add_row(
            name,
            f"{summary['mean']:.0f}",
            f"{summary['min']:.0f}",
            f"{summary['max']:.0f}",
            str(summary["count_over_1500"]),
            f"{summary['hot_spot_free_fraction']:.1%}",
        )
    console.print(table)


def register(app: typer.Typer) -> None:
    app.command("study", epilog=EXAMPLE)(study_jobs)
