"""Our rule: leaf by leaf in descending occupancy, root = l mod K."""

from __future__ import annotations

import numpy as np

from tasuki.fabric.choices.choice import Choice
from tasuki.fabric.two_level import TwoLevelTree


def balanced(tree: TwoLevelTree, hosts: np.ndarray) -> Choice:
    """Numbers the hosts leaf by leaf, the fullest leaf first; host l gets root l mod K. With these
    roots an all-to-all in N - 1 stages without hot spots exists for every set of hosts
    (docs/design/fabric.md has the proof)."""
    leaf = tree.leaf_of_host[hosts]
    occupancy = np.bincount(leaf)
    order = np.lexsort((hosts, leaf, -occupancy[leaf]))
    return Choice(hosts[order], np.arange(hosts.size) % tree.roots)
