"""`tasuki bench reduce`: the modes of reproducibility, the host's own and its closest setting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from tasuki.bench.support import options, reduce_report
from tasuki.bench.support.collective_runs import (
    AUTO,
    NATIVE,
    REDUCTIONS,
    SOURCE,
    Case,
    measure,
    sizes_of,
)
from tasuki.bench.support.collective_times import Times, parse_collectives
from tasuki.bench.support.each_run import each_run
from tasuki.bench.support.local_sums import local_exact_over_plain
from tasuki.bench.support.outcome import deliver, keeping
from tasuki.bench.support.reduce_summary import MODES, SETTING, rows_of_modes, summary
from tasuki.bench.support.report import check_is_quiet, document
from tasuki.hosts import Host
from tasuki.sizes import parse_counts, parse_sizes
from tasuki.temporary import temporary_folder

SETTINGS = {"openmpi": ("OMPI_MCA_coll_han_reproducible", "1"), "intel": ("I_MPI_CBWR", "2")}
"""What comes closest to `placement`; MPICH has nothing."""
WITHOUT_EFFECT = {
    "OMPI_MCA_coll_han_reproducible": "HAN acts on several nodes, and the ranks are on one"
}
"""Why a setting changes nothing where this benchmark runs: on one node."""


def register(app: typer.Typer) -> None:
    app.command(
        "reduce",
        epilog="Example: tasuki bench reduce --mpi openmpi --ranks 2,4 --collectives allreduce "
        "--json reduce.json --picture reduce.png",
    )(reduce)


def reduce(
    mpi: options.Mpi = "all",
    ranks: options.Ranks = "2,4,8",
    sizes: Annotated[
        str,
        typer.Option(
            help="Bytes of the vector, or of a rank's block (of reduce-scatterv, the mean one): "
            "8:1M (powers of two), or 8,64,4K."
        ),
    ] = "8, 64, 512, 4K, 32K, 256K, 1M",
    collectives: Annotated[
        str, typer.Option(help=f"{', '.join(REDUCTIONS)}; several by commas; or all.")
    ] = "all",
    seconds: Annotated[
        float,
        typer.Option(
            min=0.01,
            help="Time for each size, of all modes together, and as long before for each mode to "
            "learn.",
        ),
    ] = 0.5,
    repetitions: Annotated[
        int,
        typer.Option(min=1, max=100_000, help="At most so many blocks of calls for each."),
    ] = 1000,
    busy: options.Busy = False,
    json_file: options.Json = None,
    picture: options.Picture = None,
) -> None:
    """Time sums of doubles in each mode of reproducibility, and by the host's own; check them.

    Modes and the host's own alternate within one run, by blocks of calls; what Tasuki learns to be
    the best runs in each mode. The host's own with its closest setting is a run of its own.
    """
    hosts = options.parsed(options.parse_hosts, mpi)
    rank_counts = options.parsed(parse_counts, ranks)
    byte_counts = options.parsed(parse_sizes, sizes)
    names = options.parsed(lambda text: parse_collectives(text, REDUCTIONS), collectives)
    algorithms = [NATIVE, *(f"{mode}/{AUTO}" for mode in MODES)]
    cases = options.parsed(
        lambda _: [
            Case(name, sizes_of(name, byte_counts), algorithms, seconds, repetitions)
            for name in names
        ],
        sizes,
    )
    check_is_quiet(busy)
    times = Times(takes_what_there_is=collectives == "all")
    by_setting: list[dict[str, Any]] = []
    with keeping(times.rows) as measuring:
        with temporary_folder() as folder:
            local = local_exact_over_plain(Path(folder), seconds)
        steps = 2 * len(cases) * len(byte_counts)
        for host, count, program, advance in each_run(SOURCE, hosts, rank_counts, steps):
            cache = program.with_name(f"cache-{host.name}")
            for case in cases:
                if times.add(host, count, program, case, cache, advance):
                    by_setting += measure_with_setting(host, count, program, case)
                for _ in case.sizes:
                    advance()
    rows = rows_of_modes(times.rows, by_setting)
    found = summary(rows, [host.name for host in hosts], local)
    found |= {"skipped": times.skipped, "left_out": times.left_out}
    found["closest_settings"] = {host.name: closest_setting(host) for host in hosts}
    results = document("reduce", hosts, rank_counts, rows, found)
    deliver(
        results,
        json_file,
        reduce_report.print_tables,
        reduce_report.draw,
        picture,
        measuring=measuring,
    )


def setting_of(host: Host) -> tuple[str, str] | None:
    """The variable and its value; None for a host that has none."""
    return SETTINGS.get(host.name.removesuffix("-debian"))


def closest_setting(host: Host) -> dict[str, Any] | None:
    """What `native, reproducible` was measured with, and whether it changes anything here."""
    setting = setting_of(host)
    if setting is None:
        return None
    why = WITHOUT_EFFECT.get(setting[0], "")
    return {"variable": setting[0], "value": setting[1], "in_effect": not why, "why_not": why}


def measure_with_setting(
    host: Host, ranks: int, program: Path, case: Case
) -> Sequence[dict[str, Any]]:
    """The rows of the host's own with its closest setting; none if it has no such setting."""
    setting = setting_of(host)
    if setting is None:
        return []
    name, value = setting
    host = replace(host, variables={**host.variables, name: value})
    alone = replace(case, algorithms=[NATIVE])
    return [
        row | {"algorithm": SETTING}
        for rows, _ in measure(host, ranks, program, alone)
        for row in rows
    ]
