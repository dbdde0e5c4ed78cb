"""Runs schedules on a virtual cluster and takes the time."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tasuki.fabric.error import FabricError
from tasuki.fabric.plan import Plan
from tasuki.fabric.virtual_cluster.cluster import VirtualCluster, address

_PROGRAM = Path(__file__).with_name("exchange.py")
_FIRST_PORT = 7000
PAYLOAD = 1448 / 1514
"""Of a full Ethernet frame, as the rate of a link counts it."""


def measure(
    cluster: VirtualCluster,
    plans: dict[str, Plan],
    size: int,
    runs: int,
    on_progress: Callable[[], None] = lambda: None,
) -> dict[str, np.ndarray]:
    """[run] -> seconds of each plan, for an all-to-all of `size` bytes per pair. The plans take
    turns; one turn more comes first and does not count, while TCP finds its pace."""
    seconds: dict[str, list[float]] = {name: [] for name in plans}
    with contextlib.ExitStack() as stack:
        exchanges = {
            name: stack.enter_context(_Exchange(cluster, plan, size, _FIRST_PORT + number))
            for number, (name, plan) in enumerate(plans.items())
        }
        for _ in range(runs + 1):
            for name, exchange in exchanges.items():
                seconds[name].append(exchange.run())
                on_progress()
    return {name: np.array(times[1:]) for name, times in seconds.items()}


class _Exchange:
    """One program per host, connected and waiting for its turns."""

    def __init__(self, cluster: VirtualCluster, plan: Plan, size: int, port: int):
        self.cluster, self.plan, self.size, self.port = cluster, plan, size, port
        self.programs: list[subprocess.Popen[str]] = []

    def __enter__(self) -> _Exchange:
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for program in self.programs:
            program.kill()
            program.communicate()

    def _start(self) -> None:
        hosts, stages = self.plan.choice.hosts.tolist(), self.plan.stages
        offsets = self.plan.offsets.tolist()
        addresses = [address(host, k) for host, k in zip(hosts, offsets, strict=True)]
        sources = np.full_like(stages, -1)
        stage, sender = np.nonzero(stages >= 0)
        sources[stage, stages[stage, sender]] = sender
        for place, host in enumerate(hosts):
            program = subprocess.Popen(
                self.cluster.namespaces[host].command(sys.executable, "-S", str(_PROGRAM)),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            self.programs.append(program)
            described = {
                "me": place,
                "addresses": addresses,
                "port": self.port,
                "bytes": self.size,
                "targets": stages[:, place].tolist(),
                "sources": sources[:, place].tolist(),
            }
            _tell(program, json.dumps(described))
        for program in self.programs:
            _hear(program)

    def run(self) -> float:
        """Seconds from the first host's begin to the last one's end."""
        for program in self.programs:
            _tell(program, "go")
        times = np.array([json.loads(_hear(program)) for program in self.programs])
        return float(times[:, 1].max() - times[:, 0].min())


def _tell(program: subprocess.Popen[str], line: str) -> None:
    assert program.stdin is not None
    program.stdin.write(line + "\n")
    program.stdin.flush()


def _hear(program: subprocess.Popen[str]) -> str:
    assert program.stdout is not None and program.stderr is not None
    line = program.stdout.readline().strip()
    if not line:
        why = program.stderr.read().strip()[-300:]
        raise FabricError(f"a host of the virtual cluster failed: {why}")
    return line
