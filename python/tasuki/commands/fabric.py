"""`tasuki fabric`: fat-trees, the hot spots of an all-to-all, and what helps against them."""

from __future__ import annotations

import typer

from tasuki.fabric.verbs import assign, measure, schedule, show, simulate, study, tables, verify


def register(app: typer.Typer) -> None:
    fabric = typer.Typer(
        no_args_is_help=True,
        help="Fat-trees: routes, hot spots, and all-to-alls without them.",
    )
    for verb in (show, simulate, study, assign, schedule, tables, verify, measure):
        verb.register(fabric)
    app.add_typer(fabric, name="fabric")
