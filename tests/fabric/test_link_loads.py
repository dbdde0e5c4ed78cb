"""The examples of the paper's section 3, on its 3-ary-2-tree with 18 hosts."""

import numpy as np
import pytest

from tasuki.fabric.describe import describe
from tasuki.fabric.link_loads import flow_links, shift_stages, stage_peaks, total_loads
from tasuki.fabric.paths import Routes
from tasuki.fabric.tree_routing import stock_tables


@pytest.fixture(scope="module")
def routes():
    fabric = describe("3-ary-2-tree")
    return Routes(fabric, stock_tables(fabric))


def hot_link(routes, hosts, distance):
    none = np.zeros_like(hosts)
    links = flow_links(routes, hosts, none, shift_stages(hosts.size)[distance - 1][None])
    loads = np.bincount(links[links >= 0])
    return routes.fabric.link_name(loads.argmax()), loads.max()


def test_figure_2_any_nodes(routes):
    name, load = hot_link(routes, np.array([3, 5, 6, 9]), 2)
    assert load == 2
    assert name == "leaf1[4] -> root0"


def test_figure_3_contiguous_nodes(routes):
    name, load = hot_link(routes, np.arange(8), 3)
    assert load == 2
    assert name == "leaf1[4] -> root0"


def test_the_symmetric_placement_of_section_3_2_has_no_hot_spot(routes):
    hosts = np.array([0, 1, 3, 4, 6, 7, 9, 10])
    peaks = stage_peaks(routes, hosts, np.zeros_like(hosts), shift_stages(8))
    assert peaks.max() == 1


def test_several_jobs_at_once_are_like_one_by_one(routes):
    jobs = np.array([[3, 5, 6, 9], [0, 1, 2, 3], [0, 4, 8, 12]])
    none = np.zeros_like(jobs)
    together = stage_peaks(routes, jobs, none, shift_stages(4))
    for job, peaks in zip(jobs, together, strict=True):
        alone = stage_peaks(routes, job, np.zeros_like(job), shift_stages(4))
        assert np.array_equal(alone, peaks)


def test_resting_hosts_load_nothing(routes):
    hosts = np.array([3, 5, 6, 9])
    stages = np.array([[2, -1, -1, -1], [-1, -1, -1, -1]])
    assert stage_peaks(routes, hosts, np.zeros_like(hosts), stages).tolist() == [1, 0]
    assert total_loads(routes, hosts, np.zeros_like(hosts), stages).sum() == 2
