"""`tasuki bench selection`: learning against every fixed algorithm and the host's own."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from tasuki.bench.support import options
from tasuki.bench.support.algorithms import algorithm_names
from tasuki.bench.support.each_run import each_run
from tasuki.bench.support.launch import launch
from tasuki.bench.support.outcome import deliver, keeping
from tasuki.bench.support.ratios import certain_median, geometric_mean, spread
from tasuki.bench.support.report import check_is_quiet, document, load_text
from tasuki.hosts import Host
from tasuki.native import core
from tasuki.output import console
from tasuki.sizes import duration_text, parse_counts, parse_sizes, size_text

NATIVE = "native"
DYNAMIC, WITHOUT_MODEL, WARM = "dynamic", "without model", "warm"
LEARNING = {DYNAMIC: "auto:kept=0", WITHOUT_MODEL: "auto:model=0,kept=0", WARM: "auto"}
"""The ways that learn, and the setting of TASUKI_ALLTOALL for each."""
BY_MEMORY = ":carrier=memory"
START_SECONDS = 60.0


def register(app: typer.Typer) -> None:
    app.command(
        "selection",
        epilog="Example: tasuki bench selection --mpi openmpi,mpich --ranks 2 --sizes 64:64K",
    )(selection)


def selection(
    mpi: options.Mpi = "all",
    ranks: options.Ranks = "2",
    sizes: Annotated[
        str, typer.Option(help="Bytes from each rank to each: 64:1M (powers of two), or 8,64,4K.")
    ] = "64,512,4K,32K,256K",
    calls: Annotated[int, typer.Option(min=5, help="Calls in a run, at most.")] = 2000,
    seconds: Annotated[
        float, typer.Option(min=0.001, help="A run of the host's own may take so long.")
    ] = 1.0,
    repetitions: Annotated[int, typer.Option(min=1, max=64, help="Runs of each way.")] = 9,
    busy: options.Busy = False,
    json_file: options.Json = None,
) -> None:
    """Time many calls while Tasuki learns, and by every fixed algorithm, in turn in one run."""
    hosts = options.parsed(options.parse_hosts, mpi)
    rank_counts = options.parsed(parse_counts, ranks)
    byte_counts = options.parsed(parse_sizes, sizes)
    check_is_quiet(busy)
    rows: list[dict[str, Any]] = []
    with keeping(rows) as measuring:
        runs = each_run("bench/selection/selection.c", hosts, rank_counts, len(byte_counts))
        for host, count, program, advance in runs:
            cache = program.with_name(f"cache-{host.name}-{count}")
            argv = [program, calls, seconds, repetitions]
            for some in measure(host, argv, count, byte_counts, cache):
                rows += some
                advance()
    results = document("selection", hosts, rank_counts, rows, summary(rows))
    deliver(results, json_file, print_results, measuring=measuring)


def fixed_ways() -> list[str]:
    """The host's own algorithm, then all others, over the host and over memory."""
    names = algorithm_names("alltoall")
    return [NATIVE, *names, *(name + BY_MEMORY for name in names)]


def programs_of(ways: Sequence[str], ranks: int) -> dict[str, str]:
    """For each way the first algorithm that runs the same steps, or itself."""
    schedules: dict[str, Any] = {}
    first: dict[str, str] = {}
    for way in ways:
        if way in (NATIVE, *LEARNING):
            first[way] = way
            continue
        name = way.removesuffix(BY_MEMORY)
        if name not in schedules:
            schedules[name] = core().schedule("alltoall", name, ranks)
        same = (one for one in schedules if schedules[name].has_same_steps(schedules[one]))
        first[way] = next(same) + way.removeprefix(name)
    return first


def measure(
    host: Host, argv: Sequence[object], ranks: int, sizes: Sequence[int], cache: Path
) -> Iterator[list[dict[str, Any]]]:
    """The rows of each size. `argv`: the program, calls, seconds, repetitions."""
    program, calls, seconds, repetitions = argv
    fixed = fixed_ways()
    ways = [*fixed, *LEARNING.values()]
    text = ",".join(map(str, sizes))
    # Some algorithms take many times the host's time where ranks share cores.
    runs = len(sizes) * len(ways) * int(str(repetitions))
    limit = START_SECONDS + 8 * float(str(seconds)) * runs
    learn = [program, calls, seconds, 1, text, LEARNING[WARM]]
    for _ in run(host, learn, ranks, limit, cache):
        pass
    names = dict(zip(ways, [*fixed, *LEARNING], strict=True))
    some: list[dict[str, Any]] = []
    for line in run(host, [program, calls, seconds, repetitions, text, *ways], ranks, limit, cache):
        told = json.loads(line)
        row = {"mpi": host.name, "ranks": ranks, **told, "way": names[told["way"]]}
        # Where an algorithm is outside its domain the host's own has run.
        if row["way"] in (NATIVE, *LEARNING) or not row["ran"].startswith(NATIVE):
            some.append(row)
        if row["way"] == WARM:
            programs = programs_of([each["way"] for each in some], ranks)
            yield with_ratios([each | {"program": programs[each["way"]]} for each in some])
            some = []


def run(host: Host, argv: Sequence[object], ranks: int, limit: float, cache: Path) -> Iterator[str]:
    words = [str(word) for word in argv]
    return launch(host, ranks, words, limit, NATIVE, cache=cache)


def with_ratios(told: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of one size, each with the `seconds` of its runs.

    Ratios are medians over the repetitions of the ratio within each: what changes on the machine
    from one to the next counts for all ways alike. Ways of which `program` is the same are one that
    runs several times in each repetition, and takes the median of these. `best` is the fastest
    program by its ratio to the host's own among the fixed ones and that.
    """
    runs: dict[str, list[list[float]]] = {}
    for row in told:
        runs.setdefault(row["program"], []).append(row["seconds"])
    of_program = {
        program: [statistics.median(each) for each in zip(*seconds, strict=True)]
        for program, seconds in runs.items()
    }
    native = of_program[NATIVE]
    fixed = [program for program in of_program if program not in LEARNING]
    best = min(fixed, key=lambda program: statistics.median(in_pairs(of_program[program], native)))
    others = {"native": NATIVE, "best": best, "without_model": WITHOUT_MODEL}
    best_seconds = statistics.median(of_program[best])
    rows = []
    for row in told:
        seconds = row["seconds"]
        found = {key: row[key] for key in row if key != "seconds"} | {
            "repetitions": len(seconds),
            "median_seconds": statistics.median(seconds),
            "minimum_seconds": min(seconds),
            "spread": spread(seconds),
        }
        for name, other in others.items():
            ratios = in_pairs(seconds, of_program[other])
            found[f"ratio_to_{name}"] = statistics.median(ratios)
            found[f"certain_ratio_to_{name}"] = certain_median(ratios)
        rows.append(found | {"best": best, "best_median_seconds": best_seconds})
    return rows


def in_pairs(seconds: Sequence[float], others: Sequence[float]) -> list[float]:
    return [one / other for one, other in zip(seconds, others, strict=True)]


def summary(rows: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Over all hosts, numbers of ranks and sizes."""
    dynamic = [row for row in rows if row["way"] == DYNAMIC]
    warm = [row["ratio_to_best"] for row in rows if row["way"] == WARM]
    found = {
        "dynamic_over_best_median": statistics.median(row["ratio_to_best"] for row in dynamic),
        "dynamic_over_native_geomean": geometric_mean([row["ratio_to_native"] for row in dynamic]),
        "model_over_nomodel_geomean": geometric_mean(
            [row["ratio_to_without_model"] for row in dynamic]
        ),
        "warm_over_best_median": statistics.median(warm),
    }
    for key, other in {
        "dynamic_over_best_max": "best",
        "dynamic_over_native_max": "native",
        "model_over_nomodel_max": "without_model",
    }.items():
        found[key] = max(row[f"ratio_to_{other}"] for row in dynamic)
        found[f"certain_{key}"] = max(row[f"certain_ratio_to_{other}"] for row in dynamic)
    return found


def print_results(results: dict[str, Any]) -> None:
    table = Table(title="Learning against fixed algorithms, a call", caption=load_text())
    for name in ("MPI", "ranks", "bytes", "calls", NATIVE, "best fixed", *LEARNING):
        table.add_column(name, justify="left" if name in ("MPI", "best fixed") else "right")
    cells: dict[tuple[str, int, int], dict[str, dict[str, Any]]] = {}
    for row in results["rows"]:
        cells.setdefault((row["mpi"], row["ranks"], row["bytes"]), {})[row["way"]] = row
    for (mpi, ranks, size), ways in cells.items():
        native = ways[NATIVE]
        table.add_row(
            mpi,
            str(ranks),
            size_text(size),
            str(native["calls"]),
            duration_text(native["median_seconds"]),
            f"{duration_text(native['best_median_seconds'])} {native['best']}",
            *(
                f"{duration_text(ways[way]['median_seconds'])} x{ways[way]['ratio_to_best']:.2f}"
                for way in LEARNING
            ),
        )
    console.print(table)
    for name, value in results["summary"].items():
        console.print(f"{name.replace('_', ' ')}: {value:.3f}", highlight=False)
