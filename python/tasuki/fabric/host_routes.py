"""The file by which a run learns its fabric (TASUKI_FABRIC, `tasuki run --fabric FILE`).

For each host it has the groups that it belongs to (its leaf; in taller trees the pod above it, and
so on) and, level by level, the root by which messages climb that are addressed to it (or, where the
sender chooses, that it sends). src/fabric/fabric_file.hpp has the format.
"""

from __future__ import annotations

import numpy as np

from tasuki.fabric.contention_free.first_fit import least_stages
from tasuki.fabric.error import FabricError
from tasuki.fabric.levels import switch_levels
from tasuki.fabric.paths import Routes
from tasuki.native import core

_PAIRS_AT_ONCE = 1 << 22
_MOST_COUNTED = 2000
"""Up to so many hosts the least number of stages is compared; it takes the routes of all pairs."""


def routes_file(
    routes: Routes,
    hosts: np.ndarray,
    offsets: np.ndarray,
    by_sender: bool = False,
) -> str:
    """The text of the file for `hosts`, each reached under its LID offset. Raises FabricError where
    the tables cannot be told by one root for each host and level."""
    height = max(1, int(switch_levels(routes.fabric).max()) - 1)
    groups = np.stack([_groups(routes, level)[hosts] for level in range(height)], axis=1)
    # Tables look at the destination alone: where receivers choose, one other host under each leaf
    # stands for all of them.
    leaves = routes.fabric.leaf_of_host[hosts]
    others = (
        np.arange(hosts.size) if by_sender else np.sort(np.unique(leaves, return_index=True)[1])
    )
    far, near = _links(routes, hosts, hosts[others], offsets, by_sender, height)
    # A message climbs as far as the groups of its ends differ, and no further.
    if np.any((far >= 0) != (groups[others][:, None, :] != groups[None, :, :])):
        raise _irregular(routes)
    roots = np.stack([_classes(far[..., level]) for level in range(height)], axis=1)
    _check_roots(routes, groups, roots, far, near)
    told = [
        ".".join(map(str, mine)) + "/" + ".".join(map(str, ways))
        for mine, ways in zip(groups.tolist(), roots.tolist(), strict=True)
    ]
    if hosts.size <= _MOST_COUNTED:
        least = least_stages(routes, hosts, offsets, by_sender)
        if core().least_stages(",".join(told)) > least:
            raise _irregular(routes)
    names = [routes.fabric.hosts[host].name for host in hosts.tolist()]
    lines = [
        "tasuki-fabric 1",
        f"# {routes.fabric.name}: host, leaf/root",
        f"chosen-by {'sender' if by_sender else 'receiver'}",
        f"hosts {len(names)}",
        *(f"{name} {route}" for name, route in zip(names, told, strict=True)),
    ]
    return "\n".join(lines) + "\n"


def _groups(routes: Routes, level: int) -> np.ndarray:
    """[host] -> number of its group: hosts that reach each other over switches of no higher level
    than `level` (0: leaves)."""
    fabric = routes.fabric
    group = np.arange(len(fabric.hosts) + len(fabric.switches))
    low = switch_levels(fabric) <= level + 1
    low = np.concatenate([np.zeros(len(fabric.hosts), dtype=bool), low])
    a, b = fabric.cables[:, 0], fabric.cables[:, 2]
    inside = low[a] & low[b]
    a, b = a[inside], b[inside]
    while True:
        before = group.copy()
        lowest = np.minimum(group[a], group[b])
        np.minimum.at(group, a, lowest)
        np.minimum.at(group, b, lowest)
        if np.array_equal(before, group):
            break
    return np.unique(group[fabric.leaf_of_host + len(fabric.hosts)], return_inverse=True)[1]


def _links(
    routes: Routes,
    hosts: np.ndarray,
    others: np.ndarray,
    offsets: np.ndarray,
    by_sender: bool,
    height: int,
) -> tuple[np.ndarray, np.ndarray]:
    """[other, host, level] -> the link at the side of the other end, and the one at the side of the
    host that chooses; -1 where the message does not climb so high."""
    shape = (others.size, hosts.size, height)
    far, near = np.full(shape, -1, dtype=np.int32), np.full(shape, -1, dtype=np.int32)
    at_once = max(1, _PAIRS_AT_ONCE // hosts.size)
    for begin in range(0, others.size, at_once):
        rows = slice(begin, begin + at_once)
        some, chosen = others[rows, None], offsets[None, :]
        if by_sender:
            path = routes.links(hosts[None, :], some, routes.lids(some, 0) + chosen)
        else:
            path = routes.links(some, hosts[None, :], routes.lids(hosts, offsets)[None, :])
        length = (path >= 0).sum(axis=-1)
        for level in range(min(height, path.shape[-1] // 2 - 1)):
            climbs = length >= 2 * level + 4
            first = np.where(climbs, path[..., 1 + level], -1)
            place = np.where(climbs, length - 2 - level, 0)
            last = np.take_along_axis(path, place[..., None], -1)[..., 0]
            last = np.where(climbs, last, -1)
            far[rows, :, level], near[rows, :, level] = (
                (last, first) if by_sender else (first, last)
            )
    return far, near


def _classes(far: np.ndarray) -> np.ndarray:
    """[host] -> number of its root, of [other, host] -> link: hosts have the same root if messages
    from (or to) anywhere share a link there."""
    root = np.arange(far.shape[1])
    while True:
        before = root.copy()
        for row in far:
            used = row >= 0
            links = row[used]
            if links.size == 0:
                continue
            lowest = np.full(int(links.max()) + 1, root.size)
            np.minimum.at(lowest, links, root[used])
            root[used] = lowest[links]
        if np.array_equal(before, root):
            return np.unique(root, return_inverse=True)[1]


def _check_roots(
    routes: Routes, groups: np.ndarray, roots: np.ndarray, far: np.ndarray, near: np.ndarray
) -> None:
    """Messages that share a link must have the same root and group there: else the run would take
    them for free of each other."""
    for level in range(groups.shape[1]):
        way = np.unique(roots[:, : level + 1], axis=0, return_inverse=True)[1].reshape(-1)
        for links, group in (
            (far[..., level], None),
            (near[..., level], groups[:, level]),
        ):
            row, host = np.nonzero(links >= 0)
            told = way[host].astype(np.int64)
            if group is not None:
                told = told * (int(group.max()) + 1) + group[host]
            used = links[row, host]
            pairs = np.unique(used * (int(told.max(initial=0)) + 1) + told)
            if np.unique(used).size != pairs.size:
                raise _irregular(routes)


def _irregular(routes: Routes) -> FabricError:
    return FabricError(
        f"the forwarding tables of {routes.fabric.name} lead to a host over different roots from "
        "different leaves (missing cables?), which the file for a run cannot say. "
        "`tasuki fabric schedule --out FILE` writes the stages themselves"
    )
