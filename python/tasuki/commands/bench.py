"""`tasuki bench BENCHMARK`. The benchmarks are the modules of tasuki.bench."""

from __future__ import annotations

import typer

from tasuki.bench import benchmarks


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        no_args_is_help=True,
        help="Measure, and say how reliably.",
        epilog="Example: tasuki bench alltoall --mpi all --ranks 2,4 --sizes 64:1M",
    )
    for benchmark in benchmarks():
        benchmark.register(group)
    app.add_typer(group, name="bench")
