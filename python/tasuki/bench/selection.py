"""`tasuki bench selection`: learning against every fixed algorithm and the host's own."""

from __future__ import annotations

import json
import statistics
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from tasuki.bench.support import options, selection_report
from tasuki.bench.support.each_run import each_run
from tasuki.bench.support.launch import launch
from tasuki.bench.support.outcome import deliver, keeping
from tasuki.bench.support.ratios import certain_median, geometric_mean, spread
from tasuki.bench.support.report import check_is_quiet, document
from tasuki.bench.support.selection_report import (
    DYNAMIC,
    LEARNS,
    MIDPOINT,
    NATIVE,
    WARM,
    WITHOUT_MODEL,
)
from tasuki.hosts import Host
from tasuki.native import core
from tasuki.sizes import parse_counts, parse_sizes

LEARNING = {DYNAMIC: "auto:kept=0", WITHOUT_MODEL: "auto:model=0,kept=0", WARM: "auto"}
"""The ways that learn, and the setting of TASUKI_ALLTOALL for each."""
WITH_MIDPOINT = {MIDPOINT: "auto:grouping=midpoint,kept=0", **LEARNING}
BY_MEMORY = "carrier=memory"
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
    ] = "64, 512, 4K, 32K, 256K",
    calls: Annotated[int, typer.Option(min=5, help="Calls in a run, at most.")] = 2000,
    seconds: Annotated[
        float, typer.Option(min=0.001, help="A run of the host's own may take so long.")
    ] = 1.0,
    repetitions: Annotated[int, typer.Option(min=1, max=64, help="Runs of each way.")] = 9,
    midpoint: Annotated[
        bool,
        typer.Option(
            "--midpoint", help="Also with the paper's threshold for what is measured at all."
        ),
    ] = False,
    busy: options.Busy = False,
    json_file: options.Json = None,
    picture: options.Picture = None,
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
            learning = WITH_MIDPOINT if midpoint else LEARNING
            for some in measure(host, argv, count, byte_counts, cache, learning):
                rows += some
                advance()
    results = document("selection", hosts, rank_counts, rows, summary(rows))
    deliver(
        results,
        json_file,
        selection_report.print_results,
        selection_report.draw,
        picture,
        measuring=measuring,
    )


def fixed_ways(ranks: int) -> list[str]:
    """The host's own algorithm, then all that selection tries, over the host and over memory."""
    names = []
    for row in core().algorithms():
        if row["collective"] != "alltoall":
            continue
        names.append(row["name"])
        for parameter in row["parameters"]:
            tried = (ranks if value == "ranks" else int(value) for value in parameter["tried"])
            names += [
                f"{row['name']}:{parameter['name']}={value}"
                for value in dict.fromkeys(tried)
                if parameter["minimum"] <= value <= parameter["maximum"]
                and value != parameter["default"]
            ]
    return [NATIVE, *names, *map(by_memory, names)]


def by_memory(name: str) -> str:
    return f"{name}{',' if ':' in name else ':'}{BY_MEMORY}"


def programs_of(ways: Sequence[str], ranks: int) -> dict[str, str]:
    """For each way the first algorithm that runs the same steps, or itself."""
    schedules: dict[str, Any] = {}
    first: dict[str, str] = {}
    for way in ways:
        if way in (NATIVE, *LEARNS):
            first[way] = way
            continue
        name = way.removesuffix(BY_MEMORY).rstrip(":,")
        if name not in schedules:
            schedules[name] = core().schedule("alltoall", name, ranks)
        same = next(one for one in schedules if schedules[name].has_same_steps(schedules[one]))
        first[way] = by_memory(same) if way.endswith(BY_MEMORY) else same
    return first


def measure(
    host: Host,
    argv: Sequence[object],
    ranks: int,
    sizes: Sequence[int],
    cache: Path,
    learning: Mapping[str, str] = LEARNING,
) -> Iterator[list[dict[str, Any]]]:
    """The rows of each size. `argv`: the program, calls, seconds, repetitions. `learning` ends with
    WARM."""
    program, calls, seconds, repetitions = argv
    fixed = fixed_ways(ranks)
    ways = [*fixed, *learning.values()]
    text = ",".join(map(str, sizes))
    # Some algorithms take many times the host's time where ranks share cores.
    runs = len(sizes) * len(ways) * int(str(repetitions))
    limit = START_SECONDS + 8 * float(str(seconds)) * runs
    learn = [program, calls, seconds, 1, text, LEARNING[WARM]]
    for _ in run(host, learn, ranks, limit, cache):
        pass
    names = dict(zip(ways, [*fixed, *learning], strict=True))
    some: list[dict[str, Any]] = []
    for line in run(host, [program, calls, seconds, repetitions, text, *ways], ranks, limit, cache):
        told = json.loads(line)
        row = {"mpi": host.name, "ranks": ranks, **told, "way": names[told["way"]]}
        # Where an algorithm is outside its domain the host's own has run.
        if row["way"] in (NATIVE, *LEARNS) or not row["ran"].startswith(NATIVE):
            some.append(row)
        if row["way"] == WARM:
            programs = programs_of([each["way"] for each in some], ranks)
            yield with_ratios([each | {"program": programs[each["way"]]} for each in some])
            some = []


def run(host: Host, argv: Sequence[object], ranks: int, limit: float, cache: Path) -> Iterator[str]:
    words = [str(word) for word in argv]
    return launch(host, ranks, words, limit, NATIVE, cache=cache, beside_host=True)


def with_ratios(told: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of one size, each with the `seconds` of its runs.

    Ratios are medians over the repetitions of the ratio within each: what changes on the machine
    from one to the next counts for all ways alike. Ways of which `program` is the same are one that
    runs several times in each repetition, and takes the median of these. `best` is the fastest
    program by its ratio to the host's own among the fixed ones and that; ratios to it are to the
    one that is best_of_others().
    """
    runs: dict[str, list[list[float]]] = {}
    for row in told:
        runs.setdefault(row["program"], []).append(row["seconds"])
    of_program = {
        program: [statistics.median(each) for each in zip(*seconds, strict=True)]
        for program, seconds in runs.items()
    }
    native = of_program[NATIVE]
    fixed = [program for program in of_program if program not in LEARNS]
    to_native = {program: in_pairs(of_program[program], native) for program in fixed}
    best = min(fixed, key=lambda program: statistics.median(to_native[program]))
    others = {
        "native": native,
        "best": best_of_others(to_native, of_program),
        "without_model": of_program[WITHOUT_MODEL],
    }
    if MIDPOINT in of_program:
        others["midpoint"] = of_program[MIDPOINT]
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
            ratios = in_pairs(seconds, other)
            found[f"ratio_to_{name}"] = statistics.median(ratios)
            found[f"certain_ratio_to_{name}"] = certain_median(ratios)
        rows.append(found | {"best": best, "best_median_seconds": best_seconds})
    return rows


def best_of_others(
    to_native: Mapping[str, Sequence[float]], seconds: Mapping[str, Sequence[float]]
) -> list[float]:
    """For each repetition the seconds of the program that was the fastest in all others.

    The one with the least of several medians is in part the luckiest: what it took in the same
    repetitions is less than it will take again. In a repetition that has not chosen it, it is as
    it is.
    """
    count = len(next(iter(to_native.values())))

    def seconds_in(repetition: int) -> float:
        rest = [other for other in range(count) if other != repetition] or [repetition]
        chosen = min(
            to_native,
            key=lambda program: statistics.median(to_native[program][other] for other in rest),
        )
        return seconds[chosen][repetition]

    return [seconds_in(repetition) for repetition in range(count)]


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
    if all("ratio_to_midpoint" in row for row in dynamic):
        found["dynamic_over_midpoint_geomean"] = geometric_mean(
            [row["ratio_to_midpoint"] for row in dynamic]
        )
    for key, other in {
        "dynamic_over_best_max": "best",
        "dynamic_over_native_max": "native",
        "model_over_nomodel_max": "without_model",
    }.items():
        found[key] = max(row[f"ratio_to_{other}"] for row in dynamic)
        found[f"certain_{key}"] = max(row[f"certain_ratio_to_{other}"] for row in dynamic)
    return found
