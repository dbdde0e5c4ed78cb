"""Forwarding tables for a fat-tree: up towards the root that a key names, then straight down.

The key of a LID is a number whose digits choose the upward port at each level. With the key equal
to the number of the host this is the usual routing of fat-trees (OpenSM's ftree, "stock": root =
host mod K); with the key equal to the offset of the LID it is the multi-LID routing of the paper
(LID base + k goes through root k).
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

import numpy as np

from tasuki.fabric.error import FabricError
from tasuki.fabric.forwarding import LAST_UNICAST_LID, NO_PORT, ForwardingTables
from tasuki.fabric.levels import switch_levels
from tasuki.fabric.topology import Fabric


def stock_tables(fabric: Fabric) -> ForwardingTables:
    """One LID per host, root = number of the host mod K."""
    return _build(fabric, 0, lambda hosts, offsets: hosts + 0 * offsets)


def multi_lid_tables(fabric: Fabric, lmc: int | None = None) -> ForwardingTables:
    """2^lmc LIDs per host, LID base + k through root k (mod the number of roots). By default the
    least LMC that reaches every root."""
    roots = most_paths(fabric)
    needed = (roots - 1).bit_length()
    if lmc is None:
        lmc = needed
    if lmc > 7:
        raise FabricError(
            f"{fabric.name}: LMC {lmc}: InfiniBand ends at 7; {roots} roots need LMC {needed}"
        )
    if lmc < needed:
        raise FabricError(
            f"{fabric.name}: LMC {lmc} gives {1 << lmc} LIDs per host, too few for {roots} roots; "
            f"expected at least LMC {needed}"
        )
    return _build(fabric, lmc, lambda hosts, offsets: offsets + 0 * hosts)


def most_paths(fabric: Fabric) -> int:
    """How many different ways up there are from a leaf to the top: K in a K-ary-2-tree."""
    return prod(_upward_digits(fabric, switch_levels(fabric)))


def _upward_digits(fabric: Fabric, level: np.ndarray) -> list[int]:
    """For each level of switches but the last, the largest number of cables upwards."""
    hosts = len(fabric.hosts)
    tail_level = np.where(
        fabric.link_tail >= hosts, level[np.maximum(fabric.link_tail - hosts, 0)], 0
    )
    head_level = np.where(
        fabric.link_head >= hosts, level[np.maximum(fabric.link_head - hosts, 0)], 0
    )
    digits = []
    for lower in range(1, int(level.max())):
        upward = fabric.link_tail[(tail_level == lower) & (head_level == lower + 1)]
        digits.append(int(np.bincount(upward).max()))
    return digits


def _build(fabric: Fabric, lmc: int, key_of) -> ForwardingTables:
    level = switch_levels(fabric)
    hosts, switches = len(fabric.hosts), len(fabric.switches)
    lids = 1 << lmc
    highest = lids * (hosts + 1) + switches - 1
    if highest > LAST_UNICAST_LID:
        raise FabricError(
            f"{fabric.name}: {hosts} hosts with LMC {lmc} and {switches} switches need LIDs up to "
            f"{highest}; InfiniBand ends at {LAST_UNICAST_LID}"
        )
    base_lid = lids * (np.arange(hosts) + 1)
    switch_lid = lids * (hosts + 1) + np.arange(switches)
    host_of = np.repeat(np.arange(hosts), lids)
    keys = key_of(host_of, np.tile(np.arange(lids), hosts))

    ports = np.full((switches, highest + 1), NO_PORT, dtype=np.uint8)
    leaves = fabric.leaf_of_host[host_of]
    below = _leaves_below(fabric, level)
    reachable = _leaves_reachable(fabric, level, below)
    digits = _upward_digits(fabric, level)
    host_port = _port_towards_host(fabric)
    for switch in range(switches):
        row = ports[switch, lids : lids * (hosts + 1)]
        own = leaves == switch
        row[own] = host_port[host_of[own]]
        height = int(level[switch])
        down = ~own & below[switch, leaves]
        up = ~own & ~below[switch, leaves]
        for wanted, direction, reach in ((down, -1, below), (up, 1, reachable)):
            targets = np.flatnonzero(wanted)
            if targets.size:
                # Down again by the digit that chose the way up from the level below.
                step = prod(digits[: height - (1 if direction > 0 else 2)])
                candidates, neighbours = _ports(fabric, level, switch, direction)
                row[targets] = _choose(
                    candidates,
                    reach[neighbours[:, None], leaves[targets]],
                    keys[targets] // step,
                    up=direction > 0,
                )
    return ForwardingTables(ports, base_lid, lmc, switch_lid)


def _port_towards_host(fabric: Fabric) -> np.ndarray:
    cable = fabric.host_link // 2
    backwards = fabric.host_link % 2
    return np.where(backwards == 0, fabric.cables[cable, 3], fabric.cables[cable, 1])


def _ports(fabric: Fabric, level: np.ndarray, switch: int, direction: int):
    """Ports of `switch` to the next level up or down, in the order of the switches there."""
    links = fabric.link_at_port[switch]
    cabled = np.flatnonzero(links >= 0)
    heads = fabric.link_head[links[cabled]] - len(fabric.hosts)
    fits = (heads >= 0) & (level[np.maximum(heads, 0)] == level[switch] + direction)
    cabled, heads = cabled[fits], heads[fits]
    order = np.lexsort((cabled, heads))
    return cabled[order], heads[order]


def _choose(candidates: np.ndarray, usable: np.ndarray, keys: np.ndarray, up: bool) -> np.ndarray:
    """For each target the candidate that its key names: upwards among all of them, so that every
    leaf takes the same root; where that one leads astray, and downwards (where only the parallel
    cables to one switch are usable), among the usable ones."""
    chosen = np.full(keys.size, NO_PORT, dtype=np.uint8)
    if candidates.size == 0:
        return chosen
    left = np.arange(keys.size)
    if up:
        named = keys % candidates.size
        direct = usable[named, left]
        chosen[direct] = candidates[named[direct]]
        left = left[~direct]
    usable = usable[:, left]
    count = usable.sum(axis=0)
    found = count > 0
    left, usable, count = left[found], usable[:, found], count[found]
    if (count == 1).all():
        chosen[left] = candidates[usable.argmax(axis=0)]
    else:
        rank = np.cumsum(usable, axis=0)
        chosen[left] = candidates[(rank == keys[left] % count + 1).argmax(axis=0)]
    return chosen


def _leaves_below(fabric: Fabric, level: np.ndarray) -> np.ndarray:
    """[switch, leaf] -> whether a way that only goes down leads from the one to the other."""
    switches = len(fabric.switches)
    below = np.zeros((switches, switches), dtype=bool)
    leaves = np.flatnonzero(level == 1)
    below[leaves, leaves] = True
    for height in range(2, int(level.max()) + 1):
        for switch in np.flatnonzero(level == height):
            below[switch] = below[_ports(fabric, level, switch, -1)[1]].any(axis=0)
    return below


def _leaves_reachable(fabric: Fabric, level: np.ndarray, below: np.ndarray) -> np.ndarray:
    """[switch, leaf] -> whether going up some levels (or none) and then down leads there."""
    reachable = below.copy()
    for height in range(int(level.max()) - 1, 0, -1):
        for switch in np.flatnonzero(level == height):
            above = _ports(fabric, level, switch, 1)[1]
            if above.size:
                reachable[switch] |= reachable[above].any(axis=0)
    return reachable


def with_ways_to_switches(fabric: Fabric, tables: ForwardingTables) -> ForwardingTables:
    """Adds the shortest ways to the switches themselves, which a subnet manager needs."""
    ports = tables.ports.copy()
    hosts = len(fabric.hosts)
    between = np.flatnonzero(fabric.is_switch_link)
    tails, heads = fabric.link_tail[between] - hosts, fabric.link_head[between] - hosts
    cable, backwards = between // 2, between % 2
    leave_by = np.where(backwards == 0, fabric.cables[cable, 1], fabric.cables[cable, 3])
    columns = tables.switch_lid
    ports[np.arange(len(fabric.switches)), columns] = 0
    # One wave from all switches at once: the switches next to those that already know a way.
    while True:
        known = ports[:, columns] != NO_PORT
        link, target = np.nonzero(known[heads] & ~known[tails])
        if link.size == 0:
            return replace(tables, ports=ports)
        ports[tails[link], columns[target]] = leave_by[link]
