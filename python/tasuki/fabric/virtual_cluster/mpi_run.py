"""Runs the algorithms of the table on a virtual cluster: Open MPI over TCP, one rank on each host,
started by `tasuki run` as on a real machine."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tasuki.bench.support.collective_runs import SOURCE
from tasuki.bench.support.each_run import compile_source
from tasuki.fabric.error import FabricError
from tasuki.fabric.host_routes import routes_file
from tasuki.fabric.plan import Plan
from tasuki.fabric.virtual_cluster.cluster import VirtualCluster
from tasuki.hosts import Host
from tasuki.installation import launcher

ROW_OF_METHOD = {
    "contention-free": "contention-free",
    "contention-free-stock": "contention-free",
}
"""All others are shifts of the hosts: what the two-level ring does with one rank on each."""
SHIFT = "two-level-ring"
_SECONDS_TO_START = 120


@dataclass(frozen=True)
class Seconds:
    """Of one MPI_Alltoall on the slowest rank."""

    median: float
    least: float


_AGENT = """\
#!/bin/sh
# What mpirun starts its daemons by instead of ssh: AGENT HOST COMMAND...
host=$1
shift
case "$host" in
{cases}    *) echo "no host $host" >&2; exit 1 ;;
esac
exec nsenter --net=/proc/$process/ns/net --uts=/proc/$process/ns/uts sh -c "$*"
"""


def measure_by_mpi(
    cluster: VirtualCluster,
    plans: dict[str, Plan],
    host: Host,
    size: int,
    runs: int,
    folder: Path,
    on_progress: Callable[[], None] = lambda: None,
) -> dict[str, Seconds]:
    """MPI_Alltoall of `size` bytes per pair under each plan, `runs` calls after one that does not
    count. Plans that have their hosts in the same order under the same LIDs take turns in one job.
    """
    program = compile_source(SOURCE, host, folder)
    agent = folder / "agent"
    agent.write_text(_AGENT.format(cases=_cases(cluster)))
    agent.chmod(0o755)
    jobs: dict[tuple, list[str]] = {}
    for name, plan in plans.items():
        jobs.setdefault((*plan.choice.hosts.tolist(), *plan.offsets.tolist()), []).append(name)
    seconds = {}
    for names in jobs.values():
        plan = plans[names[0]]
        rows = list(dict.fromkeys(ROW_OF_METHOD.get(name, SHIFT) for name in names))
        cluster.show_only(plan.choice.hosts, plan.offsets)
        fabric = folder / "routes"
        fabric.write_text(routes_file(cluster.routes, plan.choice.hosts, plan.offsets))
        transfer = size * (plan.choice.hosts.size - 1) / (cluster.megabits * 125_000)
        limit = _SECONDS_TO_START + 10 * transfer * (runs + 1) * len(rows)
        command = [*_mpirun(cluster, plan, host, agent), str(_tasuki()), "run"]
        command += ["--fabric", str(fabric), str(program), "alltoall"]
        command += ["1000000", str(runs), str(size), *rows]
        by_row = _run(
            cluster.namespaces[int(plan.choice.hosts[0])].command(*command), host, folder, limit
        )
        for name in names:
            seconds[name] = by_row[ROW_OF_METHOD.get(name, SHIFT)]
            on_progress()
    return {name: seconds[name] for name in plans}


def _cases(cluster: VirtualCluster) -> str:
    fabric = cluster.routes.fabric
    return "".join(
        f"    {fabric.hosts[host].name}) process={cluster.namespaces[host].process} ;;\n"
        for host in cluster.hosts.tolist()
    )


def _tasuki() -> Path:
    found = launcher()
    if found is None:
        raise FabricError("the command tasuki was not found: `make demo` in the checkout builds it")
    return found.absolute()


def _mpirun(cluster: VirtualCluster, plan: Plan, host: Host, agent: Path) -> list[str]:
    names = [cluster.routes.fabric.hosts[number].name for number in plan.choice.hosts.tolist()]
    settings = {
        "pml": "ob1",
        "btl": "tcp,self",
        "btl_tcp_if_include": "p1",
        # More ranks than cores: who waits must let others run.
        "mpi_yield_when_idle": "1",
        # Every message by rendezvous, as the model has it, and in short pieces, between which the
        # acknowledgement of another one gets through.
        "btl_tcp_eager_limit": "1024",
        "btl_tcp_flags": "send",
        "btl_tcp_max_send_size": "16384",
    }
    command = [str(host.launcher), "-n", str(len(names)), "--bind-to", "none"]
    command += ["--host", ",".join(f"{name}:1" for name in names), "--map-by", "node"]
    command += ["--prtemca", "plm_ssh_agent", str(agent), "--prtemca", "oob_tcp_if_include", "p1"]
    for name, value in settings.items():
        command += ["--mca", name, value]
    return command


def _run(command: list[str], host: Host, folder: Path, limit: float) -> dict[str, Seconds]:
    # Files, not pipes: what a killed job leaves behind for a moment must not hold us up.
    output, errors = folder / "output", folder / "errors"
    # A temporary folder of its own: jobs of Open MPI on hosts of equal names share one otherwise.
    temporary = dict.fromkeys(("TMPDIR", "PRTE_MCA_prte_tmpdir_base"), str(folder))
    environment = {**os.environ, **host.environment(), **temporary}
    with output.open("w") as out, errors.open("w") as err:
        job = subprocess.Popen(
            # mpirun ends, and its ranks with it, even when we are killed.
            ["setpriv", "--pdeathsig", "TERM", *command],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            env=environment,
            start_new_session=True,
        )
        try:
            code = job.wait(limit)
        except subprocess.TimeoutExpired:
            raise FabricError(f"the MPI job did not end within {limit:.0f} s") from None
        finally:
            _end(job)
    rows = [json.loads(line) for line in output.read_text().splitlines() if line.startswith("{")]
    if code != 0 or not rows:
        raise FabricError(f"the MPI job failed: {errors.read_text().strip()[-500:]}")
    for row in rows:
        if "skipped" in row:
            raise FabricError(f"the MPI job ran {row['skipped']} instead of {row['algorithm']}")
    return {
        row["algorithm"]: Seconds(row["median_seconds"], row["minimum_seconds"]) for row in rows
    }


def _end(job: subprocess.Popen) -> None:
    """mpirun takes its ranks with it when it is asked to end."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        if job.poll() is not None:
            return
        os.killpg(job.pid, sign)
        with contextlib.suppress(subprocess.TimeoutExpired):
            job.wait(10)
