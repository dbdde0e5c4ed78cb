"""Schedules executed on network namespaces, over TCP and links of limited rate."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from tasuki.fabric.link_loads import total_loads
from tasuki.fabric.plan import Planner
from tasuki.fabric.virtual_cluster.cluster import VirtualCluster
from tasuki.fabric.virtual_cluster.measure import measure
from tasuki.fabric.virtual_cluster.mpi_run import measure_by_mpi
from tasuki.fabric.virtual_cluster.namespaces import Namespace, why_not
from tasuki.hosts import host_named

pytestmark = pytest.mark.skipif(bool(why_not()), reason=why_not() or "available")


def bytes_sent(cluster: VirtualCluster) -> np.ndarray:
    """[link] -> bytes that left by it."""
    fabric = cluster.routes.fabric
    sent = np.zeros(len(fabric.link_tail))
    for vertex, namespace in cluster.namespaces.items():
        if vertex < len(fabric.hosts):
            continue
        command = namespace.command("ip", "-s", "-j", "link")
        for device in json.loads(subprocess.run(command, capture_output=True).stdout):
            if device["ifname"].startswith("p"):
                port = int(device["ifname"][1:])
                link = fabric.link_at_port[vertex - len(fabric.hosts), port]
                sent[link] = device["stats64"]["tx"]["bytes"]
    return sent


@pytest.mark.parametrize("method", ["stock", "contention-free"])
def test_messages_take_the_links_that_the_model_says(tree, method):
    small = tree("3-ary-2-tree:nodes=9")
    plan = Planner(small.routes).plan(np.arange(9), method)
    size, runs = 60_000, 2
    with VirtualCluster(small.routes, np.arange(9), megabits=200) as cluster:
        before = bytes_sent(cluster)
        seconds = measure(cluster, {method: plan}, size, runs)[method]
        sent = bytes_sent(cluster) - before
    assert seconds.size == runs
    loads = total_loads(small.routes, plan.choice.hosts, plan.offsets, plan.stages)
    used = loads > 0
    # Headers and acknowledgements come on top; a message in the wrong place would be 1.0.
    messages = sent[used] / (size * (runs + 1))
    assert np.abs(messages - loads[used]).max() < 0.2 * loads.max()


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_ours_beats_stock_by_what_the_model_says(paper_tree):
    """20 contiguous nodes: the model says 1.53. Slow links leave the processor in peace."""
    hosts = np.arange(20)
    names = ["stock", "contention-free", "contention-free-stock"]
    planner = Planner(paper_tree.routes)
    plans = {name: planner.plan(hosts, name) for name in names}
    with VirtualCluster(paper_tree.routes, hosts, megabits=8) as cluster:
        seconds = measure(cluster, plans, 250_000, runs=3)
    middle = {name: float(np.median(times)) for name, times in seconds.items()}
    assert middle["stock"] / middle["contention-free"] >= 1.3
    assert middle["stock"] / middle["contention-free-stock"] >= 1.3


@pytest.mark.mpi
@pytest.mark.slow
@pytest.mark.timeout(200)
def test_open_mpi_runs_the_rows_of_the_table(tree, tmp_path):
    """One job with ranks on four hosts for each set of LIDs, by `tasuki run` as on a cluster."""
    small = tree("3-ary-2-tree:nodes=9")
    try:
        host = host_named("openmpi")
    except LookupError as error:
        pytest.skip(str(error))
    hosts = np.array([0, 3, 4, 7])
    planner = Planner(small.routes)
    plans = {name: planner.plan(hosts, name) for name in ("stock", "contention-free")}
    with VirtualCluster(small.routes, hosts, megabits=200) as cluster:
        seconds = measure_by_mpi(cluster, plans, host, 20_000, 1, tmp_path)
    assert list(seconds) == ["stock", "contention-free"]
    assert all(0 < taken.least <= taken.median for taken in seconds.values())


def test_nothing_is_left_when_we_are_killed(tmp_path):
    script = tmp_path / "hold.py"
    script.write_text(
        "import time\n"
        "from tasuki.fabric.virtual_cluster.namespaces import Namespace\n"
        "held = Namespace()\n"
        "print(held.process, flush=True)\n"
        "time.sleep(60)\n"
    )
    holder = subprocess.Popen(
        [sys.executable, script],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": "python"},
    )
    process = Path("/proc") / holder.stdout.readline().strip()
    assert process.exists()
    holder.kill()
    holder.communicate()
    for _ in range(100):
        if not process.exists():
            return
        time.sleep(0.05)
    pytest.fail("the namespace outlived us")


def test_a_failing_command_is_told():
    namespace = Namespace()
    try:
        with pytest.raises(Exception, match="ip in a namespace failed"):
            namespace.batch("ip", ["link set dev nowhere up"])
    finally:
        namespace.close()
