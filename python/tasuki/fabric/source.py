"""A fabric with tables from what the command line was given."""

from __future__ import annotations

from pathlib import Path

from tasuki.fabric.describe import describe
from tasuki.fabric.error import FabricError
from tasuki.fabric.forwarding import fit_to_fabric, read_dump
from tasuki.fabric.ibnetdiscover import read_network
from tasuki.fabric.levels import switch_levels
from tasuki.fabric.paths import Routes
from tasuki.fabric.topology import Fabric
from tasuki.fabric.tree_routing import multi_lid_tables, stock_tables


def load_fabric(text: str) -> Fabric:
    """A description ("6-ary-2-tree:nodes=30") or a file that `ibnetdiscover` wrote."""
    if Path(text).is_dir():
        raise FabricError(f"{text}: that is a folder; expected a file that ibnetdiscover wrote")
    if "/" in text or Path(text).is_file():
        return read_network(Path(text))
    return describe(text)


def load_routes(text: str, forwarding: Path | None, lmc: int | None = None) -> Routes:
    """With the tables in the file `forwarding`, else with those that `tasuki fabric tables` would
    write: one LID of each host through each root of a two-level tree, one LID in taller ones."""
    fabric = load_fabric(text)
    levels = int(switch_levels(fabric).max())
    if forwarding is not None:
        return Routes(fabric, fit_to_fabric(read_dump(forwarding), fabric), are_real=True)
    if lmc is None and levels > 2:
        return Routes(fabric, stock_tables(fabric))
    return Routes(fabric, multi_lid_tables(fabric, lmc))
