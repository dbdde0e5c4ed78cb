import numpy as np
import pytest

from tasuki.fabric.describe import describe
from tasuki.fabric.error import FabricError
from tasuki.fabric.ibnetdiscover import parse_network
from tasuki.fabric.paths import Routes
from tasuki.fabric.tree_routing import multi_lid_tables, stock_tables, with_ways_to_switches


def all_links(routes: Routes, offset: int = 0) -> np.ndarray:
    hosts = np.arange(len(routes.fabric.hosts))
    return routes.links(hosts[:, None], hosts[None, :], routes.lids(hosts[None, :], offset))


@pytest.mark.parametrize(
    "text",
    [
        "6-ary-2-tree:nodes=30",
        "4-ary-3-tree",
        "2-ary-4-tree",
        "xgft(3;4,3,2;1,2,3)",
        "5-ary-1-tree",
        "6-ary-2-tree:nodes=30:cut=leaf0-root3+leaf1-root3+leaf4-root0",
        "3-ary-3-tree:cut=middle2.0-root0",
    ],
)
def test_every_host_reaches_every_host(text):
    fabric = describe(text)
    for tables in (stock_tables(fabric), multi_lid_tables(fabric)):
        for offset in range(tables.lids_per_host):
            all_links(Routes(fabric, tables), offset)  # raises for holes and ways astray


def test_stock_routing_goes_through_root_i_mod_k():
    fabric = describe("6-ary-2-tree:nodes=30")
    links = all_links(Routes(fabric, stock_tables(fabric)))
    for source in range(30):
        for destination in range(30):
            if source // 6 != destination // 6:
                root = fabric.vertex_name(fabric.link_head[links[source, destination, 1]])
                assert root == f"root{destination % 6}"


def test_lid_base_plus_k_goes_through_root_k():
    fabric = describe("6-ary-2-tree:nodes=30")
    tables = multi_lid_tables(fabric, 3)
    assert tables.base_lid.tolist() == [8 * (host + 1) for host in range(30)]
    for offset in range(8):
        links = all_links(Routes(fabric, tables), offset)[:6, 6:, 1]
        roots = {fabric.vertex_name(head) for head in fabric.link_head[links].reshape(-1)}
        assert roots == {f"root{offset % 6}"}


def test_parallel_cables_count_as_roots():
    # Two cables from each leaf to each of three switches: six ways, as in the paper's machine.
    lines = []
    for leaf in range(5):
        lines.append(f'Switch 12 "leaf{leaf}"')
        lines += [f'[{i + 1}] "node{6 * leaf + i}"[1]' for i in range(6)]
        lines += [f'[{7 + i}] "root{i // 2}"[{2 * leaf + i % 2 + 1}]' for i in range(6)]
    for root in range(3):
        lines.append(f'Switch 10 "root{root}"')
        lines += [f'[{i + 1}] "leaf{i // 2}"[{7 + 2 * root + i % 2}]' for i in range(10)]
    for host in range(30):
        lines += [f'Hca 1 "node{host}"', f'[1] "leaf{host // 6}"[{host % 6 + 1}]']
    fabric = parse_network("\n".join(lines), "net")
    routes = Routes(fabric, stock_tables(fabric))
    links = all_links(routes)
    # Full shift by one leaf: with six ways no cable carries two messages, up or down.
    hosts = np.arange(30)
    used = links[hosts, (hosts + 6) % 30]
    assert np.bincount(used.reshape(-1)[used.reshape(-1) >= 0]).max() == 1


def test_tall_trees_shift_without_hot_spots():
    fabric = describe("3-ary-3-tree")
    routes = Routes(fabric, stock_tables(fabric))
    hosts = np.arange(54)
    for shift in range(1, 54):
        destinations = (hosts + shift) % 54
        links = routes.links(hosts, destinations, routes.lids(destinations))
        assert np.bincount(links[links >= 0]).max() == 1


def test_ways_to_switches():
    fabric = describe("4-ary-3-tree")
    tables = with_ways_to_switches(fabric, stock_tables(fabric))
    hosts, switches = len(fabric.hosts), len(fabric.switches)
    for start in range(switches):
        for target, lid in enumerate(tables.switch_lid.tolist()):
            at, hops = start, 0
            while at != target:
                at = fabric.link_head[fabric.link_at_port[at, tables.ports[at, lid]]] - hosts
                hops += 1
                assert hops <= 4
            assert tables.ports[target, lid] == 0


@pytest.mark.parametrize(
    ("text", "lmc", "part"),
    [
        ("6-ary-2-tree", 2, "expected at least LMC 3"),
        ("18-ary-2-tree", 4, "expected at least LMC 5"),
        ("18-ary-3-tree", None, "need LMC 9"),
        ("6-ary-2-tree", 9, "LMC 9: InfiniBand ends at 7; 6 roots need LMC 3"),
        ("10-ary-3-tree", 7, "InfiniBand ends at"),
    ],
)
def test_lmc_that_does_not_fit(text, lmc, part):
    with pytest.raises(FabricError, match=part):
        multi_lid_tables(describe(text), lmc)
