"""The three steps of Naruse et al. 2010, section 4.2."""

from __future__ import annotations

import numpy as np

from tasuki.fabric.choices.choice import Choice
from tasuki.fabric.two_level import TwoLevelTree


def paper(tree: TwoLevelTree, hosts: np.ndarray) -> Choice:
    """Hosts in the order of the fabric get local numbers l; the root is l mod M. M is the number
    of roots, or the most hosts under one leaf where that divides the number of hosts."""
    ordered = np.sort(hosts)
    most = int(np.bincount(tree.leaf_of_host[ordered]).max())
    modulus = most if ordered.size % most == 0 and most <= tree.roots else tree.roots
    return Choice(ordered, np.arange(ordered.size) % modulus)
