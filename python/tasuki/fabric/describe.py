"""Fabrics from a description: "6-ary-2-tree", "18-ary-3-tree:nodes=4000", "xgft(2;6,5;1,6)".

The k-ary-n-tree of the paper is made of switches of 2 k ports and holds up to 2 k^n hosts: 648 for
18-ary-2-tree, 11,664 for 18-ary-3-tree. It is the extended generalised fat-tree
XGFT(n; k, ..., k, 2k; 1, k, ..., k), so one builder makes them all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import prod

import numpy as np

from tasuki.fabric.error import FabricError
from tasuki.fabric.topology import Fabric, Host, Switch

EXPECTED = (
    "expected K-ary-N-tree (6-ary-2-tree) or xgft(LEVELS; CHILDREN,...; PARENTS,...), then "
    "optionally :nodes=COUNT, :without=HOST+HOST and :cut=SWITCH-SWITCH+SWITCH-SWITCH"
)
MOST_HOSTS = 48 * 1024
"""InfiniBand has 49,151 LIDs for hosts and switches together."""


@dataclass(frozen=True)
class Shape:
    """XGFT(levels; children; parents): `children[l]` below each switch of level l + 1,
    `parents[l]` above each vertex of level l."""

    children: tuple[int, ...]
    parents: tuple[int, ...]

    def vertices(self, level: int) -> int:
        """How many vertices (hosts at level 0) the level has."""
        return prod(self.children[level:]) * prod(self.parents[:level])


def parse_shape(text: str) -> Shape:
    """Reads what stands before the first colon of a description."""
    tree = re.fullmatch(r"(\d+)-ary-(\d+)-tree", text.strip().lower())
    if tree:
        arity, levels = int(tree[1]), int(tree[2])
        if arity < 1 or not 1 <= levels <= 4:
            raise FabricError(f"{text!r}: the arity must be at least 1 and the levels 1 to 4")
        children = (arity,) * (levels - 1) + (2 * arity,)
        shape = Shape(children, (1,) + (arity,) * (levels - 1))
    else:
        xgft = re.fullmatch(r"xgft\(\s*(\d+)\s*;([\d\s,]+);([\d\s,]+)\)", text.strip().lower())
        if not xgft:
            is_path = "/" in text or "." in text
            what = "no file is there, and it describes no fabric" if is_path else "is not a fabric"
            raise FabricError(f"{text!r} {what}: {EXPECTED}")
        children, parents = (tuple(int(n) for n in xgft[i].split(",")) for i in (2, 3))
        if not len(children) == len(parents) == int(xgft[1]) or min(children + parents) < 1:
            raise FabricError(f"{text!r}: expected {xgft[1]} positive numbers in each list")
        if parents[0] != 1:
            raise FabricError(f"{text!r}: a host has one cable, so the first parent count is 1")
        shape = Shape(children, parents)
    if shape.vertices(0) > MOST_HOSTS:
        raise FabricError(
            f"{text!r} has {shape.vertices(0)} hosts; InfiniBand addresses at most {MOST_HOSTS}"
        )
    return shape


def describe(text: str) -> Fabric:
    """The fabric that `text` describes; raises FabricError that says what was expected."""
    shape_text, *options = text.split(":")
    shape = parse_shape(shape_text)
    nodes = shape.vertices(0)
    without: list[str] = []
    cuts: list[tuple[str, str]] = []
    for option in options:
        key, _, value = option.partition("=")
        if key == "nodes" and value.isdigit():
            nodes = int(value)
            if not 1 <= nodes <= shape.vertices(0):
                raise FabricError(
                    f"{text!r}: {option} of a fabric for {shape.vertices(0)} hosts: expected 1 to "
                    f"{shape.vertices(0)}"
                )
        elif key == "without" and value:
            without += value.split("+")
        elif key == "cut" and value:
            for pair in value.split("+"):
                ends = pair.split("-")
                if len(ends) != 2:
                    raise FabricError(f"{text!r}: cut={pair} does not name two switches")
                cuts.append((ends[0], ends[1]))
        else:
            raise FabricError(f"{text!r}: cannot use {option!r}; {EXPECTED}")
    return _prune(_full_tree(shape, text), nodes, without, cuts)


def _full_tree(shape: Shape, name: str) -> Fabric:
    levels = len(shape.children)
    hosts = shape.vertices(0)
    first = [0] * (levels + 2)
    for level in range(levels + 1):
        first[level + 1] = first[level] + shape.vertices(level)

    cables = []
    for level in range(levels):
        child_count, parent_count = shape.children[level], shape.parents[level]
        # A vertex is numbered with its own parent digits lowest, then the child digits above it.
        low = prod(shape.parents[:level])
        child = np.arange(shape.vertices(level))
        low_digits, position, high_digits = (
            child % low,
            child // low % child_count,
            child // low // child_count,
        )
        for upward in range(parent_count):
            parent = (high_digits * parent_count + upward) * low + low_digits
            own_port = upward + 1 + (shape.children[level - 1] if level else 0)
            cables.append(
                np.stack(
                    [
                        first[level] + child,
                        np.full_like(child, own_port),
                        first[level + 1] + parent,
                        position + 1,
                    ],
                    axis=1,
                )
            )

    switches = []
    for level in range(1, levels + 1):
        ports = shape.children[level - 1] + (shape.parents[level] if level < levels else 0)
        for number in range(shape.vertices(level)):
            guid = (level << 24) + 0x200000 + 0x100 * number
            switches.append(Switch(_switch_name(level, levels, number), guid, ports))
    return Fabric(
        name,
        tuple(Host(f"node{i}", 0x100001 + 2 * i) for i in range(hosts)),
        tuple(switches),
        np.concatenate(cables),
    )


def _switch_name(level: int, levels: int, number: int) -> str:
    if level == 1:
        return f"leaf{number}"
    return f"root{number}" if level == levels else f"middle{level}.{number}"


def _prune(fabric: Fabric, nodes: int, without: list[str], cuts: list[tuple[str, str]]) -> Fabric:
    """Takes away hosts beyond `nodes`, the named hosts and cables, and what nobody reaches then."""
    hosts = len(fabric.hosts)
    keep_vertex = np.ones(hosts + len(fabric.switches), dtype=bool)
    keep_vertex[nodes:hosts] = False
    for name in without:
        keep_vertex[fabric.host(name)] = False
    switch_number = {switch.name: hosts + i for i, switch in enumerate(fabric.switches)}
    keep_cable = np.ones(len(fabric.cables), dtype=bool)
    ends = fabric.cables[:, [0, 2]]
    for pair in cuts:
        unknown = [name for name in pair if name not in switch_number]
        if unknown:
            raise FabricError(f"cut={'-'.join(pair)}: there is no switch {unknown[0]!r}")
        a, b = sorted(switch_number[name] for name in pair)
        hit = (ends.min(axis=1) == a) & (ends.max(axis=1) == b)
        if not hit.any():
            raise FabricError(f"cut={'-'.join(pair)}: no cable joins these switches")
        keep_cable &= ~hit
    if keep_vertex.all() and keep_cable.all():
        return fabric

    # A switch stays if a host is below it; growing upwards level by level finds them.
    reached = keep_vertex.copy()
    reached[hosts:] = False
    while True:
        upward = keep_cable & reached[ends[:, 0]] & ~reached[ends[:, 1]]
        if not upward.any():
            break
        reached[ends[upward, 1]] = True
    if not reached[:hosts].any():
        raise FabricError(f"{fabric.name}: no host is left")
    number = np.cumsum(reached) - 1
    cables = fabric.cables[keep_cable & reached[ends].all(axis=1)].copy()
    cables[:, 0] = number[cables[:, 0]]
    cables[:, 2] = number[cables[:, 2]]
    return Fabric(
        fabric.name,
        tuple(host for i, host in enumerate(fabric.hosts) if reached[i]),
        tuple(switch for i, switch in enumerate(fabric.switches) if reached[hosts + i]),
        cables,
    )
