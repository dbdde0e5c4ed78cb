"""The levels of a tree: leaves are level 1, what is above them level 2, and so on.

This is also where a network that is no fat-tree is refused: a cable between two switches of the
same level makes a loop, over which static routes can deadlock and to which no statement of this
package applies.
"""

from __future__ import annotations

import numpy as np

from tasuki.fabric.error import FabricError
from tasuki.fabric.topology import Fabric


def switch_levels(fabric: Fabric) -> np.ndarray:
    """[switch] -> level, counted from the hosts. Raises FabricError where this is no tree."""
    hosts = len(fabric.hosts)
    if hosts == 0:
        raise FabricError(f"{fabric.name}: there is no host in this fabric")
    unplugged = np.flatnonzero(fabric.host_link < 0)
    if unplugged.size:
        name = fabric.hosts[unplugged[0]].name
        raise FabricError(f"{fabric.name}: host {name} is not plugged into any switch")

    level = np.full(hosts + len(fabric.switches), -1, dtype=np.int64)
    level[:hosts] = 0
    reached = 0
    while True:
        heads = fabric.link_head[level[fabric.link_tail] == reached]
        fresh = heads[level[heads] < 0]
        if fresh.size == 0:
            break
        reached += 1
        level[fresh] = reached

    lost = np.flatnonzero(level < 0)
    if lost.size:
        raise FabricError(
            f"{fabric.name}: switch {fabric.vertex_name(lost[0])} cannot be reached from any host"
        )
    loops = np.flatnonzero(level[fabric.cables[:, 0]] == level[fabric.cables[:, 2]])
    if loops.size:
        cable = int(loops[0])
        raise FabricError(
            f"{fabric.place_of_cable(cable)}: the cable {fabric.link_name(2 * cable)} joins two "
            f"switches of level {level[fabric.cables[cable, 0]]}, which makes a loop; "
            "in a fat-tree every cable leads from one level to the next"
        )
    return level[hosts:]
