"""What a method decides about a job."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tasuki.fabric.error import FabricError
from tasuki.fabric.two_level import TwoLevelTree


@dataclass(frozen=True)
class Choice:
    """The hosts of a job in the order of its ranks, and the root of each; -1 is the base LID,
    whatever its way."""

    hosts: np.ndarray
    roots: np.ndarray


def stock_roots(tree: TwoLevelTree, hosts: np.ndarray) -> np.ndarray:
    """In a real network the way of the base LID; else root = number of the host mod K, as OpenSM's
    ftree gives it."""
    if not tree.routes.are_real:
        return hosts % tree.roots
    by_base_lid = tree.offset_of_root[hosts] == 0
    return np.where(by_base_lid.any(axis=1), by_base_lid.argmax(axis=1), -1)


def offsets_of(tree: TwoLevelTree, choice: Choice) -> np.ndarray:
    """The LID offset of each host; raises FabricError where none leads through its root."""
    offsets = np.where(choice.roots < 0, 0, tree.offset_of_root[choice.hosts, choice.roots])
    lost = np.flatnonzero(offsets < 0)
    if lost.size:
        host = tree.routes.fabric.hosts[choice.hosts[lost[0]]].name
        raise FabricError(
            f"host {host} has no LID through root {choice.roots[lost[0]]}: the tables of "
            f"{tree.routes.fabric.name} give it LMC {tree.routes.tables.lmc}. Program more paths "
            "with `tasuki fabric tables --lmc`, or use --method stock"
        )
    return offsets
