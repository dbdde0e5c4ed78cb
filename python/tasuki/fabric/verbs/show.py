"""`tasuki fabric show`: what a fabric is made of."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import typer
from rich.table import Table

from tasuki.fabric import picture
from tasuki.fabric.forwarding import fit_to_fabric, read_dump
from tasuki.fabric.levels import switch_levels
from tasuki.fabric.paths import Routes
from tasuki.fabric.source import load_fabric
from tasuki.fabric.tree_routing import most_paths
from tasuki.fabric.two_level import two_level_tree
from tasuki.fabric.verbs.common import (
    FABRIC_HELP,
    JsonOption,
    LftsOption,
    PictureOption,
    errors_for_people,
)
from tasuki.output import console, wrote_to_screen

EXAMPLE = "Example: tasuki fabric show 6-ary-2-tree:nodes=30 --picture fabric.png"


def show(
    fabric: Annotated[str, typer.Argument(help=FABRIC_HELP)],
    lfts: LftsOption = None,
    picture_file: PictureOption = None,
    json_file: JsonOption = None,
) -> None:
    """Says what a fabric is made of, and what its forwarding tables do."""
    with errors_for_people():
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
    if wrote_to_screen(document, json_file):
        return
    table = Table(title=network.name, show_header=False)
    levels = document["switches_per_level"]
    occupancy = document["hosts_per_leaf"]
    table.add_row("hosts", str(document["hosts"]))
    for height, count in enumerate(levels, start=1):
        kind = "leaves" if height == 1 else "roots" if height == len(levels) else "middle"
        table.add_row(f"switches of level {height} ({kind})", str(count))
    table.add_row("cables between switches", str(document["cables_between_switches"]))
    table.add_row("ways up from a leaf to the top, at most", str(document["roots"]))
    table.add_row("hosts per leaf", f"{occupancy[0]} to {occupancy[-1]}")
    if "lmc" in document:
        table.add_row("LMC of the tables", str(document["lmc"]))
    if "roots_reached" in document:
        reached = document["roots_reached"]
        table.add_row("roots by which a host can be reached", f"{min(reached)} to {max(reached)}")
    console.print(table)


def _roots_reached(routes: Routes) -> list[int]:
    return (two_level_tree(routes).offset_of_root >= 0).sum(axis=1).tolist()


def register(app: typer.Typer) -> None:
    app.command("show", epilog=EXAMPLE)(show)
