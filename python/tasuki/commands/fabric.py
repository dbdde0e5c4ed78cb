"""`tasuki fabric`: fat-trees, the hot spots of an all-to-all, and what helps against them."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from tasuki.fabric import bandwidth, launch, picture
from tasuki.fabric.choices.choice import Choice
from tasuki.fabric.contention_free.schedule import contention_free, flaws
from tasuki.fabric.error import FabricError
from tasuki.fabric.forwarding import fit_to_fabric, read_dump, write_dump
from tasuki.fabric.job import Job, read_hostfile
from tasuki.fabric.levels import switch_levels
from tasuki.fabric.link_loads import shift_stages, stage_peaks, total_loads
from tasuki.fabric.opensm.comparison import KINDS, compare, read_log
from tasuki.fabric.opensm.guid2lid import guid2lid
from tasuki.fabric.paths import Routes
from tasuki.fabric.source import load_fabric, load_routes
from tasuki.fabric.stage_table import StageTable
from tasuki.fabric.study import (
    METHODS,
    Model,
    Plan,
    contiguous_jobs,
    plan_jobs,
    random_jobs,
    study,
)
from tasuki.fabric.tree_routing import most_paths, multi_lid_tables, with_ways_to_switches
from tasuki.fabric.two_level import two_level_tree
from tasuki.fabric.virtual_cluster.cluster import VirtualCluster
from tasuki.fabric.virtual_cluster.measure import PAYLOAD
from tasuki.fabric.virtual_cluster.measure import measure as measure_plans
from tasuki.output import FAILED, console, fail, notes, write_json

_FABRIC_HELP = (
    "K-ary-N-tree or xgft(...), with :nodes=N, :without=HOST+HOST, :cut=SWITCH-SWITCH; "
    "or a file that ibnetdiscover wrote"
)
FabricOption = Annotated[str, typer.Option("--fabric", help=_FABRIC_HELP)]
LftsOption = Annotated[
    Path | None,
    typer.Option(help="Forwarding tables that dump_lfts or dump_fts wrote. Default: planned ones."),
]
HostsOption = Annotated[
    Path | None, typer.Option(help="Hostfile of the job: HOST, HOST:N or HOST slots=N.")
]
JsonOption = Annotated[
    Path | None, typer.Option("--json", help="Write the result as JSON; - is standard output.")
]
PictureOption = Annotated[
    Path | None, typer.Option(help="Draw a picture into this file (.png, .svg, .pdf).")
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

fabric_app = typer.Typer(
    no_args_is_help=True, help="Fat-trees: routes, hot spots, and all-to-alls without them."
)


def register(app: typer.Typer) -> None:
    app.add_typer(fabric_app, name="fabric")


@contextmanager
def _errors_for_people() -> Iterator[None]:
    try:
        yield
    except FabricError as error:
        fail(str(error))


@fabric_app.command(epilog="Example: tasuki fabric show 6-ary-2-tree:nodes=30 --picture fabric.png")
def show(
    fabric: Annotated[str, typer.Argument(help=_FABRIC_HELP)],
    lfts: LftsOption = None,
    picture_file: Annotated[
        Path | None, typer.Option("--picture", help="Draw it into this file.")
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """Says what a fabric is made of, and what its forwarding tables do."""
    with _errors_for_people():
        network = load_fabric(fabric)
        level = switch_levels(network)
        document: dict[str, Any] = {
            "fabric": network.name,
            "hosts": len(network.hosts),
            "switches_per_level": np.bincount(level)[1:].tolist(),
            "cables": len(network.cables),
            "cables_between_switches": int(network.is_switch_link.sum() // 2),
            "roots": most_paths(network),
            "hosts_per_leaf": sorted(
                np.unique(network.leaf_of_host, return_counts=True)[1].tolist()
            ),
        }
        if lfts is not None:
            tables = fit_to_fabric(read_dump(lfts), network)
            document["lmc"] = tables.lmc
            if level.max() == 2:
                document["roots_reached"] = _roots_reached(Routes(network, tables))
        if picture_file:
            picture.draw_fabric(network, picture_file)
    if json_file:
        write_json(document, json_file)
        if str(json_file) == "-":
            return
    table = Table(title=network.name, show_header=False)
    levels = document["switches_per_level"]
    occupancy = document["hosts_per_leaf"]
    table.add_row("hosts", str(document["hosts"]))
    for height, count in enumerate(levels, start=1):
        kind = "leaves" if height == 1 else "roots" if height == len(levels) else "middle"
        table.add_row(f"switches of level {height} ({kind})", str(count))
    table.add_row("cables between switches", str(document["cables_between_switches"]))
    table.add_row("ways up from a leaf to the top", str(document["roots"]))
    table.add_row("hosts per leaf", f"{occupancy[0]} to {occupancy[-1]}")
    if "lmc" in document:
        table.add_row("LMC of the tables", str(document["lmc"]))
    if "roots_reached" in document:
        reached = document["roots_reached"]
        table.add_row("roots by which a host can be reached", f"{min(reached)} to {max(reached)}")
    console.print(table)


def _roots_reached(routes: Routes) -> list[int]:
    return (two_level_tree(routes).offset_of_root >= 0).sum(axis=1).tolist()


def _the_job(routes: Routes, hosts: Path | None, nodes: int | None, seed: int) -> Job:
    if hosts is not None:
        return read_hostfile(hosts, routes.fabric)
    everywhere = len(routes.fabric.hosts)
    chosen = random_jobs(everywhere, nodes or everywhere, 1, seed)[0]
    return Job(chosen, (1,) * chosen.size)


def _check_method(method: str) -> None:
    if method not in METHODS:
        raise FabricError(f"method {method!r}; expected one of {', '.join(METHODS)}")


def _plan(routes: Routes, job: Job, method: str) -> Plan:
    """As plan_jobs(); trees of more than two levels have stock routing only."""
    _check_method(method)
    if int(switch_levels(routes.fabric).max()) <= 2:
        return plan_jobs(two_level_tree(routes), [job.hosts], method)[0]
    if method == "stock":
        stages = shift_stages(job.hosts.size)
    elif method == "contention-free-stock":
        stages = contention_free(routes, job.hosts, np.zeros_like(job.hosts)).stages
    else:
        raise FabricError(
            f"{routes.fabric.name} has more than two levels, for which method {method!r} is not "
            "defined; expected stock or contention-free-stock"
        )
    return Plan(Choice(job.hosts, np.full_like(job.hosts, -1)), np.zeros_like(job.hosts), stages)


@fabric_app.command(
    epilog="Example: tasuki fabric simulate --fabric 18-ary-2-tree --nodes 648 --method stock"
)
def simulate(
    fabric: FabricOption,
    hosts: HostsOption = None,
    nodes: Annotated[
        int | None, typer.Option(help="Without --hosts: that many random nodes. Default: all.")
    ] = None,
    method: Annotated[str, typer.Option(help=", ".join(METHODS))] = "stock",
    lfts: LftsOption = None,
    model: ModelOption = "synchronised",
    link_ratio: RatioOption = bandwidth.FITTED_LINK_RATIO,
    peak: PeakOption = bandwidth.PAPER_PEAK,
    jitter: JitterOption = 0.0,
    seed: SeedOption = 1,
    picture_file: Annotated[
        Path | None, typer.Option("--picture", help="Draw the loads into this file.")
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """One all-to-all of one job: loads of links, hot spots, and the bandwidth that follows."""
    with _errors_for_people():
        how = Model(model, link_ratio, peak, jitter, seed)
        routes = load_routes(fabric, lfts)
        job = _the_job(routes, hosts, nodes, seed)
        begin = time.perf_counter()
        plan = _plan(routes, job, method)
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
    if json_file:
        write_json(document, json_file)
        if str(json_file) == "-":
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


@fabric_app.command(
    "study",
    epilog="Example: tasuki fabric study --fabric 6-ary-2-tree --nodes 16 --of 30 --sets 1000 "
    "--picture figure9.png",
)
def study_command(
    fabric: FabricOption,
    nodes: Annotated[int, typer.Option(help="Nodes of each random job.")] = 16,
    of: Annotated[
        int | None, typer.Option(help="Take them from the first so many hosts. Default: all.")
    ] = None,
    sets: Annotated[int, typer.Option(help="How many random jobs.", min=1)] = 1000,
    contiguous: Annotated[
        bool, typer.Option("--contiguous", help="Instead: hosts 0 .. n-1 for every n from 3.")
    ] = False,
    methods: Annotated[
        str, typer.Option(help=f"Separated by commas: {', '.join(METHODS)}.")
    ] = ",".join(METHODS),
    lfts: LftsOption = None,
    model: ModelOption = "synchronised",
    link_ratio: RatioOption = bandwidth.FITTED_LINK_RATIO,
    peak: PeakOption = bandwidth.PAPER_PEAK,
    jitter: JitterOption = 0.0,
    seed: SeedOption = 1,
    picture_file: Annotated[
        Path | None, typer.Option("--picture", help="Draw a figure into this file.")
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """Many jobs under every method: Figures 9 and 10 of the paper, and what goes beyond them."""
    with _errors_for_people():
        how = Model(model, link_ratio, peak, jitter, seed)
        names = [name.strip() for name in methods.split(",") if name.strip()]
        for name in names:
            _check_method(name)
        routes = load_routes(fabric, lfts)
        tree = two_level_tree(routes)
        available = of or len(routes.fabric.hosts)
        if available > len(routes.fabric.hosts):
            raise FabricError(f"--of {of}: {fabric} has {len(routes.fabric.hosts)} hosts")
        if contiguous:
            jobs = contiguous_jobs(available)
        else:
            jobs = random_jobs(available, nodes, sets, seed)
        with _progress() as progress:
            bar = progress.add_task("jobs", total=len(jobs) * len(names))
            outcomes = study(tree, jobs, names, how, lambda done: progress.advance(bar, done))
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
    if json_file:
        write_json(document, json_file)
        if str(json_file) == "-":
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


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=notes,
        transient=True,
    )


@fabric_app.command(
    epilog="Example: tasuki fabric measure --fabric 6-ary-2-tree:nodes=30 --nodes 16 "
    "--methods stock,paper,contention-free"
)
def measure(
    fabric: FabricOption,
    hosts: HostsOption = None,
    nodes: Annotated[
        int | None, typer.Option(help="Without --hosts: that many random nodes. Default: all.")
    ] = None,
    contiguous: Annotated[
        bool, typer.Option("--contiguous", help="Instead of random nodes the first ones.")
    ] = False,
    methods: Annotated[
        str, typer.Option(help=f"Separated by commas: {', '.join(METHODS)}.")
    ] = "stock,paper,contention-free",
    lfts: LftsOption = None,
    rate: Annotated[float, typer.Option(help="Of every link, in Mbit/s.", min=1)] = 20.0,
    size: Annotated[
        int, typer.Option("--bytes", help="From each host to each other.", min=1)
    ] = 250_000,
    runs: Annotated[int, typer.Option(help="Of each method, in turn.", min=1)] = 5,
    seed: SeedOption = 1,
    json_file: JsonOption = None,
) -> None:
    """Runs all-to-alls over TCP on a virtual cluster: network namespaces in the shape of a fabric,
    with slow links and static routes. Needs root."""
    with _errors_for_people():
        names = [name.strip() for name in methods.split(",") if name.strip()]
        routes = load_routes(fabric, lfts)
        job = _the_job(routes, hosts, nodes, seed)
        if contiguous and hosts is None:
            job = Job(np.arange(job.hosts.size), job.slots)
        plans = {name: _plan(routes, job, name) for name in names}
        model = Model("rendezvous", 1.0, rate / 8 * PAYLOAD)
        load = os.getloadavg()[0]
        with VirtualCluster(routes, job.hosts, rate) as cluster, _progress() as progress:
            bar = progress.add_task("runs", total=(runs + 1) * len(plans))
            seconds = measure_plans(cluster, plans, size, runs, lambda: progress.advance(bar))
    results = {}
    for name, times in seconds.items():
        rates = size * (job.hosts.size - 1) / times / 1e6
        results[name] = {
            "median": float(np.median(rates)),
            "min": float(rates.min()),
            "max": float(rates.max()),
            "model": float(model.apply(routes, [plans[name]])[0][0]),
            "stages": len(plans[name].stages),
        }
    document = {
        "fabric": routes.fabric.name,
        "hosts": [routes.fabric.hosts[host].name for host in job.hosts],
        "megabits": rate,
        "bytes": size,
        "runs": runs,
        "load": load,
        "measured": results,
    }
    if json_file:
        write_json(document, json_file)
        if str(json_file) == "-":
            return
    table = Table(title=f"MB/s per host, {job.hosts.size} hosts, links of {rate:g} Mbit/s")
    for heading in ("method", "stages", "median", "min", "max", "model"):
        table.add_column(heading, justify="left" if heading == "method" else "right")
    for name, result in results.items():
        numbers = (f"{result[key]:.2f}" for key in ("median", "min", "max", "model"))
        table.add_row(name, str(result["stages"]), *numbers)
    console.print(table)
    console.print(f"load of this machine at the beginning: {load:.1f}")


def _by_sender(chosen_by: str, routes: Routes) -> bool:
    if chosen_by not in ("sender", "receiver"):
        raise FabricError(f"--chosen-by {chosen_by}: expected sender or receiver")
    # With one LID per host nobody has a choice, and the route depends on the receiver.
    return chosen_by == "sender" and routes.tables.lmc > 0


def _stages_for(routes: Routes, plan: Plan, method: str, by_sender: bool) -> np.ndarray:
    if method.startswith("contention-free") and by_sender:
        return contention_free(routes, plan.choice.hosts, plan.offsets, by_sender).stages
    return plan.stages


@fabric_app.command(
    epilog="Example: tasuki fabric assign --fabric net.txt --lfts lfts.txt --hosts job.hosts "
    "--method contention-free --out job/"
)
def assign(
    fabric: FabricOption,
    hosts: Annotated[Path, typer.Option(help="Hostfile: HOST, HOST:N or HOST slots=N.")],
    method: Annotated[str, typer.Option(help=", ".join(METHODS))] = "contention-free",
    chosen_by: ChosenByOption = "receiver",
    lfts: LftsOption = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Folder for hostfile, machinefile, rankfile, environment, schedule."),
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """Chooses root and LID of each host of a job, and writes what makes a run use them."""
    with _errors_for_people():
        routes = load_routes(fabric, lfts)
        job = read_hostfile(hosts, routes.fabric)
        plan = _plan(routes, job, method)
        by_sender = _by_sender(chosen_by, routes)
        stages = _stages_for(routes, plan, method, by_sender)
        peaks = stage_peaks(routes, plan.choice.hosts, plan.offsets, stages, by_sender)
        slots = _slots_in_order(job, plan.choice.hosts)
        names = [routes.fabric.hosts[host].name for host in plan.choice.hosts]
        offsets = plan.offsets.tolist()
        if out is not None:
            table_text = StageTable(tuple(names), plan.offsets, stages, by_sender).text()
            files = {
                "hostfile": launch.hostfile(routes.fabric, plan.choice, slots),
                "machinefile": launch.machinefile(routes.fabric, plan.choice, slots),
                "rankfile": launch.rankfile(routes.fabric, plan.choice, slots),
                "with-lid-offset.sh": launch.environment(routes.fabric, plan.choice, offsets),
                "schedule.stages": table_text,
            }
            out.mkdir(parents=True, exist_ok=True)
            for name, text in files.items():
                (out / name).write_text(text)
            (out / "with-lid-offset.sh").chmod(0o755)
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
    if json_file:
        write_json(document, json_file)
        if str(json_file) == "-":
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
        notes.print(launch.HONOURED_BY, highlight=False, markup=False)


def _slots_in_order(job: Job, order: np.ndarray) -> list[int]:
    slots = dict(zip(job.hosts.tolist(), job.slots, strict=True))
    return [slots[host] for host in order.tolist()]


@fabric_app.command(
    epilog="Example: tasuki fabric schedule --fabric 6-ary-2-tree:nodes=30 --hosts job.hosts "
    "--out job.stages"
)
def schedule(
    fabric: FabricOption,
    hosts: HostsOption = None,
    nodes: Annotated[
        int | None, typer.Option(help="Without --hosts: that many random nodes. Default: all.")
    ] = None,
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
    with _errors_for_people():
        if not method.startswith("contention-free"):
            raise FabricError(
                f"--method {method}: expected contention-free or contention-free-stock"
            )
        routes = load_routes(fabric, lfts)
        job = _the_job(routes, hosts, nodes, seed)
        begin = time.perf_counter()
        plan = _plan(routes, job, method)
        by_sender = _by_sender(chosen_by, routes)
        built = contention_free(routes, plan.choice.hosts, plan.offsets, by_sender)
        seconds = time.perf_counter() - begin
        found = flaws(routes, plan.choice.hosts, plan.offsets, built.stages, by_sender)
        if found:
            fail("the schedule is wrong, which is our mistake: " + "; ".join(found), FAILED)
        names = tuple(routes.fabric.hosts[host].name for host in plan.choice.hosts)
        if out is not None:
            out.write_text(StageTable(names, plan.offsets, built.stages, by_sender).text())
    document = {
        "fabric": routes.fabric.name,
        "method": method,
        "hosts": len(names),
        "stages": len(built.stages),
        "least_stages": built.least_stages,
        "is_shortest": built.is_shortest,
        "seconds": seconds,
    }
    if json_file:
        write_json(document, json_file)
        if str(json_file) == "-":
            return
    console.print(
        f"{len(names)} hosts, {len(built.stages)} stages (no schedule without hot spots has fewer "
        f"than {built.least_stages}), built in {seconds:.2f} s; every pair once, every stage a "
        "permutation, no link with two messages: checked",
        highlight=False,
        soft_wrap=True,
    )


@fabric_app.command(epilog="Example: tasuki fabric tables --fabric net.txt --lmc 3 --out lfts.txt")
def tables(
    fabric: FabricOption,
    out: Annotated[Path, typer.Option(help="Tables for `opensm -R file -U`.")],
    lmc: Annotated[
        int | None, typer.Option(help="2^LMC LIDs per host. Default: the least that is enough.")
    ] = None,
    guid2lid_file: Annotated[
        Path | None, typer.Option("--guid2lid", help="Default: guid2lid beside --out.")
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """Writes forwarding tables for OpenSM's `file` engine: LID base + k goes through root k."""
    with _errors_for_people():
        network = load_fabric(fabric)
        planned = with_ways_to_switches(network, multi_lid_tables(network, lmc))
        pins = guid2lid_file or out.parent / "guid2lid"
        text, pinned = write_dump(network, planned), guid2lid(network, planned)
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text(text)
        pins.write_text(pinned)
    document = {
        "fabric": network.name,
        "lmc": planned.lmc,
        "roots": most_paths(network),
        "highest_lid": planned.ports.shape[1] - 1,
        "tables": str(out),
        "guid2lid": str(pins),
    }
    if json_file:
        write_json(document, json_file)
        if str(json_file) == "-":
            return
    console.print(
        f"{out}: {len(network.switches)} switches, LMC {planned.lmc}, LIDs up to "
        f"{document['highest_lid']}\n{pins}: copy it to OSM_CACHE_DIR/guid2lid, then run\n"
        f"  opensm -R file -U {out.resolve()} -l {planned.lmc} -x",
        highlight=False,
        soft_wrap=True,
        markup=False,
    )


@fabric_app.command(
    epilog="Example: dump_lfts > after.txt; tasuki fabric verify --meant lfts.txt "
    "--programmed after.txt --log opensm.log"
)
def verify(
    meant: Annotated[Path, typer.Option(help="The tables that OpenSM was given.")],
    programmed: Annotated[Path, typer.Option(help="What dump_lfts printed afterwards.")],
    log: Annotated[Path | None, typer.Option(help="OpenSM's log of that run.")] = None,
    fabric: Annotated[
        str | None, typer.Option("--fabric", help="Also check the plan against this fabric.")
    ] = None,
    json_file: JsonOption = None,
) -> None:
    """Compares every entry that a subnet manager programmed with what was meant."""
    with _errors_for_people():
        plan, actual = read_dump(meant), read_dump(programmed)
        if fabric is not None:
            fit_to_fabric(plan, load_fabric(fabric))
        findings = compare(plan, actual)
        if log is not None:
            try:
                findings = read_log(log.read_text()) + findings
            except OSError as error:
                raise FabricError(f"{log}: cannot read it: {error.strerror}") from error
    counts = {kind: sum(f.kind == kind for f in findings) for kind in KINDS}
    entries = sum(len(table) for table in plan.entries.values())
    document = {
        "as_meant": not findings,
        "entries": entries,
        "counts": counts,
        "findings": [vars(finding) for finding in findings],
    }
    if json_file:
        write_json(document, json_file)
    if not json_file or str(json_file) != "-":
        _print_findings(document, entries)
    if findings:
        raise typer.Exit(FAILED)


def _print_findings(document: dict[str, Any], entries: int) -> None:
    if document["as_meant"]:
        console.print(
            f"all {entries} entries are programmed as meant", highlight=False, soft_wrap=True
        )
        return
    table = Table(title="not as meant")
    for heading in ("kind", "count", "meaning", "first"):
        table.add_column(heading, overflow="fold")
    for kind, count in document["counts"].items():
        if count:
            first = next(f["message"] for f in document["findings"] if f["kind"] == kind)
            table.add_row(kind, str(count), KINDS[kind], first)
    console.print(table)
