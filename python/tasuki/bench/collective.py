"""`tasuki bench collective`: Tasuki's collectives and the host's own, in turn in one run."""

from __future__ import annotations

from typing import Annotated

import typer

from tasuki.bench.support import collective_report, options
from tasuki.bench.support.collective_runs import (
    COLLECTIVES,
    SOURCE,
    Case,
    algorithms_of,
    sizes_of,
)
from tasuki.bench.support.collective_summary import summary
from tasuki.bench.support.collective_times import Times, parse_collectives
from tasuki.bench.support.each_run import each_run
from tasuki.bench.support.outcome import deliver, keeping
from tasuki.bench.support.report import check_is_quiet, document
from tasuki.sizes import parse_counts, parse_sizes


def register(app: typer.Typer) -> None:
    app.command(
        "collective",
        epilog="Example: tasuki bench collective allreduce --mpi openmpi,mpich --ranks 2,4 "
        "--sizes 8:1M --json allreduce.json --picture allreduce.png",
    )(collective)


def collective(
    name: Annotated[
        str, typer.Argument(help=f"{', '.join(COLLECTIVES)}; several by commas; or all.")
    ],
    mpi: options.Mpi = "all",
    ranks: options.Ranks = "2,4,8",
    sizes: Annotated[
        str,
        typer.Option(
            help="Bytes of a block (in v- and w-forms the mean), or of the vector or message: 8:1M "
            "(powers of two), or 8,64,4K."
        ),
    ] = "8, 64, 512, 4K, 32K, 256K, 1M",
    algorithms: Annotated[
        str,
        typer.Option(
            help="Names, separated by blanks, each with :parameter=value, ... where it is to have "
            "one; all: every one of the table; "
            "auto: what Tasuki learns."
        ),
    ] = "auto",
    seconds: Annotated[
        float,
        typer.Option(
            min=0.01,
            help="Time for each size, of all algorithms together, and as long before for auto to "
            "learn.",
        ),
    ] = 0.5,
    repetitions: Annotated[
        int,
        typer.Option(
            min=1, max=100_000, help="At most so many blocks of calls for a size and algorithm."
        ),
    ] = 1000,
    memory: Annotated[
        bool,
        typer.Option(help="Messages of a node may go by memory; otherwise all go by the host."),
    ] = True,
    busy: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Keep cores busy by so many processes beside the ranks, where the host's own has "
            "a run without Tasuki; measures even if the machine is busy already, which 0 is for.",
        ),
    ] = None,
    json_file: options.Json = None,
    picture: options.Picture = None,
) -> None:
    """Time collectives as Tasuki runs them and by the host's own, and check their answers.

    They alternate within one run, by blocks of calls. A time is the slowest rank's, a call;
    medians, the spread (interquartile range over median) and the ratio to the host's own are given.
    """
    hosts = options.parsed(options.parse_hosts, mpi)
    rank_counts = options.parsed(parse_counts, ranks)
    byte_counts = options.parsed(parse_sizes, sizes)
    names = options.parsed(parse_collectives, name)
    cases = options.parsed(
        lambda wanted: [
            Case(
                each,
                sizes_of(each, byte_counts),
                algorithms_of(each, wanted, names),
                seconds,
                repetitions,
                memory,
            )
            for each in names
        ],
        algorithms,
    )
    check_is_quiet(busy is not None)
    times = Times(takes_what_there_is=name == "all", busy=busy or 0)
    with keeping(times.rows) as measuring:
        steps = sum(len(case.sizes) for case in cases)
        for host, count, program, advance in each_run(SOURCE, hosts, rank_counts, steps):
            cache = program.with_name(f"cache-{host.name}")
            for case in cases:
                times.add(host, count, program, case, cache, advance)
    rows = times.rows
    found = summary(rows, [host.name for host in hosts], times.skipped, times.left_out)
    results = document("collective", hosts, rank_counts, rows, found)
    results["machine"]["busy_processes"] = times.busy
    results["machine"]["memory"] = memory
    deliver(
        results,
        json_file,
        collective_report.print_tables,
        collective_report.draw,
        picture,
        measuring=measuring,
    )
