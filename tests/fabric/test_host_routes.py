"""What a run is told about its hosts leads to stages that have no hot spot on the real tables."""

import numpy as np
import pytest

from tasuki.fabric.contention_free.first_fit import least_stages
from tasuki.fabric.contention_free.schedule import flaws
from tasuki.fabric.describe import describe
from tasuki.fabric.error import FabricError
from tasuki.fabric.host_routes import routes_file
from tasuki.fabric.paths import Routes
from tasuki.fabric.plan import Planner
from tasuki.fabric.tree_routing import stock_tables
from tasuki.native import core


def stages_of_a_run(text: str, tmp_path):
    """As the run builds them: it has the file, nothing else."""
    path = tmp_path / "routes"
    path.write_text(text)
    sender = "sender:" if "chosen-by sender" in text else ""
    told = sender + ",".join(route for _, route in core().fabric_hosts(str(path)))
    return core().stages_of(told), core().least_stages(told)


@pytest.mark.parametrize("by_sender", [False, True])
@pytest.mark.parametrize("method", ["stock", "paper", "balanced", "contention-free"])
def test_two_levels(paper_tree, tmp_path, method, by_sender):
    planner = Planner(paper_tree.routes, by_sender)
    for seed in range(4):
        hosts = np.random.default_rng(seed).choice(30, 16, replace=False)
        plan = planner.plan(hosts, method)
        given = (paper_tree.routes, plan.choice.hosts, plan.offsets)
        stages, least = stages_of_a_run(routes_file(*given, by_sender), tmp_path)
        assert not flaws(*given, stages, by_sender)
        assert len(stages) == least == least_stages(*given, by_sender)
        if method in ("balanced", "contention-free"):
            assert len(stages) == 15


def test_is_text_for_people(paper_tree):
    plan = Planner(paper_tree.routes).plan(np.array([7, 0, 1, 6, 8]), "contention-free")
    assert routes_file(paper_tree.routes, plan.choice.hosts, plan.offsets) == (
        "tasuki-fabric 1\n"
        "# 6-ary-2-tree:nodes=30: host, leaf/root\n"
        "chosen-by receiver\n"
        "hosts 5\n"
        "node6 1/0\n"
        "node7 1/1\n"
        "node8 1/2\n"
        "node0 0/3\n"
        "node1 0/4\n"
    )


@pytest.mark.parametrize("name", ["3-ary-3-tree", "4-ary-3-tree", "xgft(3;4,3,3;1,2,2)"])
def test_tall_and_tapered_trees(name, tmp_path):
    fabric = describe(name)
    routes = Routes(fabric, stock_tables(fabric))
    for seed in range(3):
        hosts = np.random.default_rng(seed).choice(len(fabric.hosts), 24, replace=False)
        given = (routes, hosts, np.zeros(24, dtype=int))
        stages, least = stages_of_a_run(routes_file(*given), tmp_path)
        assert not flaws(*given, stages)
        assert least == least_stages(*given)


@pytest.mark.parametrize("name", ["6-ary-1-tree", "6-ary-2-tree"])
def test_all_hosts_under_one_leaf(name, tmp_path):
    fabric = describe(name)
    given = (Routes(fabric, stock_tables(fabric)), np.arange(6), np.zeros(6, dtype=int))
    stages, least = stages_of_a_run(routes_file(*given), tmp_path)
    assert len(stages) == least == 5


def test_tables_that_cannot_be_told():
    fabric = describe("6-ary-2-tree:nodes=30:cut=leaf0-root3")
    with pytest.raises(FabricError, match="different roots from different leaves"):
        routes_file(Routes(fabric, stock_tables(fabric)), np.arange(30), np.full(30, 0))


@pytest.mark.parametrize("name", ["18-ary-2-tree", "8-ary-3-tree"])
def test_whole_fabrics(name):
    fabric = describe(name)
    everything = np.arange(len(fabric.hosts))
    text = routes_file(Routes(fabric, stock_tables(fabric)), everything, 0 * everything)
    assert len(text.splitlines()) == 4 + everything.size
