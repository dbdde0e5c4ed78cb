from collections import Counter

import numpy as np
import pytest

from tasuki.fabric.contention_free.edge_colouring import colour_edges


def check(edges, left, right):
    degree = Counter([("l", a) for a, _ in edges] + [("r", b) for _, b in edges])
    colours = max(degree.values(), default=0)
    result = colour_edges(edges, left, right, colours)
    assert len(result) == len(edges)
    assert all(0 <= colour < colours for colour in result)
    for side in (0, 1):
        seen = [(edge[side], colour) for edge, colour in zip(edges, result, strict=True)]
        assert len(set(seen)) == len(seen)


@pytest.mark.parametrize("seed", range(50))
def test_random_multigraphs(seed):
    random = np.random.default_rng(seed)
    left, right, count = random.integers(1, 30), random.integers(1, 30), random.integers(0, 300)
    edges = list(
        zip(
            random.integers(left, size=count).tolist(),
            random.integers(right, size=count).tolist(),
            strict=True,
        )
    )
    check(edges, int(left), int(right))


def test_a_complete_graph_and_parallel_edges():
    check([(a, b) for a in range(17) for b in range(17)], 17, 17)
    check([(0, 0)] * 5, 1, 1)
    check([], 1, 1)
