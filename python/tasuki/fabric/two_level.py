"""The view of a job on a two-level tree: which leaf each host is under, which roots there are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tasuki.fabric.error import FabricError
from tasuki.fabric.levels import switch_levels
from tasuki.fabric.paths import Routes
from tasuki.fabric.tree_routing import most_paths


@dataclass(frozen=True)
class TwoLevelTree:
    """A two-level fabric with one LID of every host through every root."""

    routes: Routes
    roots: int
    leaf_of_host: np.ndarray
    """[host] -> number of the leaf, counted from 0 in the order of their hosts"""
    place_under_leaf: np.ndarray
    """[host] -> which host of its leaf it is"""
    offset_of_root: np.ndarray
    """[host, root] -> the LID offset by which the host is reached through the root, or -1"""


def two_level_tree(routes: Routes) -> TwoLevelTree:
    """The view of `routes`; raises FabricError for trees of other heights."""
    fabric = routes.fabric
    levels = int(switch_levels(fabric).max())
    if levels > 2:
        raise FabricError(
            f"{fabric.name} has {levels} levels of switches; choosing roots needs two. "
            "For taller trees use --method stock with `tasuki fabric schedule`"
        )
    _, leaf = np.unique(fabric.leaf_of_host, return_inverse=True)
    place = np.zeros(leaf.size, dtype=np.int64)
    for number in range(int(leaf.max()) + 1):
        under = np.flatnonzero(leaf == number)
        place[under] = np.arange(under.size)
    offsets = _offsets_by_root(routes, leaf) if levels == 2 else np.zeros((leaf.size, 1), int)
    return TwoLevelTree(routes, offsets.shape[1], leaf, place, offsets)


def _offsets_by_root(routes: Routes, leaf: np.ndarray) -> np.ndarray:
    """Follows every LID from two other leaves: the port that the way leaves its first leaf by is
    the root, numbered in the order of the upward ports."""
    fabric, tables = routes.fabric, routes.tables
    hosts = np.arange(leaf.size)
    _, representative = np.unique(leaf, return_index=True)
    roots = most_paths(fabric)
    found = np.full((leaf.size, roots), -1, dtype=np.int64)
    upward = _upward_rank(routes)
    if representative.size == 1:
        return np.zeros((leaf.size, roots), dtype=np.int64)
    for offset in reversed(range(tables.lids_per_host)):
        lids = tables.base_lid + offset
        ranks = []
        for step in range(1, representative.size):
            sources = representative[(leaf + step) % representative.size]
            ranks.append(upward[routes.links(sources, hosts, lids)[:, 1]])
        # A LID that different leaves send through different roots names no root at all.
        agreed = np.all(np.array(ranks) == ranks[0], axis=0)
        found[hosts[agreed], ranks[0][agreed]] = offset
    return found


def _upward_rank(routes: Routes) -> np.ndarray:
    """[link] -> which of its leaf's upward cables it is, in the order of the root switches, so
    that equal numbers mean equal roots; cables that are missing leave a gap."""
    fabric = routes.fabric
    upward = np.flatnonzero(
        fabric.is_switch_link
        & np.isin(fabric.link_tail, np.unique(fabric.leaf_of_host) + len(fabric.hosts))
    )
    tails, heads = fabric.link_tail[upward], fabric.link_head[upward]
    order = np.lexsort((upward, heads, tails))
    upward, tails, heads = upward[order], tails[order], heads[order]
    same = np.zeros(upward.size, dtype=np.int64)
    for i in range(1, upward.size):
        if tails[i] == tails[i - 1] and heads[i] == heads[i - 1]:
            same[i] = same[i - 1] + 1
    # A root and the number of a parallel cable to it together are one "root" in the paper's sense.
    _, number = np.unique(heads * (same.max() + 1) + same, return_inverse=True)
    rank = np.full(len(fabric.link_tail), -1, dtype=np.int64)
    rank[upward] = number
    return rank
