import numpy as np
import pytest

from tasuki.fabric.choices.annealed import annealed
from tasuki.fabric.choices.balanced import balanced
from tasuki.fabric.choices.choice import Choice, offsets_of
from tasuki.fabric.choices.paper import paper
from tasuki.fabric.choices.stock import stock
from tasuki.fabric.describe import describe
from tasuki.fabric.error import FabricError
from tasuki.fabric.paths import Routes
from tasuki.fabric.tree_routing import multi_lid_tables, stock_tables
from tasuki.fabric.two_level import two_level_tree


def test_stock_keeps_hosts_and_roots(paper_tree):
    choice = stock(paper_tree, np.array([20, 3, 7]))
    assert choice.hosts.tolist() == [20, 3, 7]
    assert choice.roots.tolist() == [2, 3, 1]


def test_the_papers_three_steps(tree):
    three = tree("3-ary-2-tree")
    # Two hosts under each used leaf divide the six hosts: M = 2.
    choice = paper(three, np.array([9, 0, 4, 5, 1, 11]))
    assert choice.hosts.tolist() == [0, 1, 4, 5, 9, 11]
    assert choice.roots.tolist() == [0, 1, 0, 1, 0, 1]
    # Three under the fullest leaf do not divide eight: M = K = 3.
    assert paper(three, np.arange(8)).roots.tolist() == [0, 1, 2, 0, 1, 2, 0, 1]


def test_balanced_begins_with_the_fullest_leaf(paper_tree):
    choice = balanced(paper_tree, np.array([0, 6, 7, 12, 13, 14]))
    assert choice.hosts.tolist() == [12, 13, 14, 6, 7, 0]
    assert choice.roots.tolist() == [0, 1, 2, 3, 4, 5]


@pytest.mark.parametrize("method", [paper, balanced, annealed])
def test_roots_inside_a_leaf_are_distinct(paper_tree, method):
    for seed in range(20):
        hosts = np.random.default_rng(seed).permutation(30)[:17]
        choice = method(paper_tree, hosts)
        assert sorted(choice.hosts) == sorted(hosts)
        pairs = list(zip(paper_tree.leaf_of_host[choice.hosts], choice.roots, strict=True))
        assert len(set(pairs)) == 17


def test_offsets_lead_to_the_roots(paper_tree):
    hosts = np.arange(30)
    choice = Choice(hosts, np.full(30, 4))
    offsets = offsets_of(paper_tree, choice)
    routes = paper_tree.routes
    links = routes.links((hosts + 6) % 30, hosts, routes.lids(hosts, offsets))
    fabric = routes.fabric
    assert {fabric.vertex_name(v) for v in fabric.link_head[links[:, 1]]} == {"root4"}


def test_one_lid_cannot_reach_another_root():
    fabric = describe("6-ary-2-tree:nodes=30")
    one_lid = two_level_tree(Routes(fabric, stock_tables(fabric)))
    assert offsets_of(one_lid, stock(one_lid, np.arange(30))).tolist() == [0] * 30
    with pytest.raises(FabricError, match="host node1 has no LID through root 0"):
        offsets_of(one_lid, Choice(np.array([0, 1]), np.array([0, 0])))


def test_tall_trees_are_refused_with_advice():
    fabric = describe("2-ary-3-tree")
    with pytest.raises(FabricError, match=r"has 3 levels.*stock"):
        two_level_tree(Routes(fabric, stock_tables(fabric)))


def test_stock_of_a_real_network_is_the_way_of_the_base_lid():
    fabric = describe("6-ary-2-tree:nodes=30")
    hosts = np.arange(30)
    real = two_level_tree(Routes(fabric, multi_lid_tables(fabric), are_real=True))
    choice = stock(real, hosts)
    assert set(choice.roots) == {0}
    assert offsets_of(real, choice).tolist() == [0] * 30
