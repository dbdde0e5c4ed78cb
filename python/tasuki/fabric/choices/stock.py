"""What there is without us: one LID per host, hosts in the order that the job has them in."""

from __future__ import annotations

import numpy as np

from tasuki.fabric.choices.choice import Choice, stock_roots
from tasuki.fabric.two_level import TwoLevelTree


def stock(tree: TwoLevelTree, hosts: np.ndarray) -> Choice:
    return Choice(hosts, stock_roots(tree, hosts))
