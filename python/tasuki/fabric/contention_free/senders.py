"""Which host under the leaf sends, once the leaf of every stage and receiver is known."""

from __future__ import annotations

import numpy as np

from tasuki.fabric.contention_free.demand import Demand
from tasuki.fabric.contention_free.edge_colouring import colour_edges
from tasuki.fabric.contention_free.leaf_stages import REST


def name_senders(demand: Demand, from_leaf: np.ndarray) -> np.ndarray:
    """[stage, sender] -> receiver, or REST, out of [stage, receiver] -> leaf.

    Under one leaf of n hosts, stages and receivers are the two sides of a bipartite graph: an edge
    is a message, a colour the host that sends it. A receiver has n edges and a stage at most n, so
    n colours do. A stage in which everybody "receives from himself" comes first: the colour that
    it gives a host is that host's own, which keeps messages to oneself out of all other stages.
    """
    stage_count, hosts = from_leaf.shape
    stages = np.full((stage_count, hosts), REST, dtype=np.int32)
    for leaf, count in enumerate(demand.occupancy.tolist()):
        own = np.flatnonzero(demand.leaf == leaf).tolist()
        rows, receivers = np.nonzero(from_leaf == leaf)
        edges = [(0, host) for host in own]
        edges += zip((rows + 1).tolist(), receivers.tolist(), strict=True)
        colours = colour_edges(edges, stage_count + 1, hosts, count)
        sender_of_colour = np.empty(count, dtype=np.int64)
        sender_of_colour[colours[:count]] = own
        stages[rows, sender_of_colour[colours[count:]]] = receivers
    return stages
