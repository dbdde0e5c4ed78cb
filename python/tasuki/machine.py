"""Facts about this machine, for reports and benchmarks, and whether it is quiet enough to measure.

Times are seconds, sizes are bytes.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

STRAY_CORES = 0.3
"""More than this many cores at work for others is too many: one stray process is enough to make
an MPI look 20 times slower where ranks and cores are equally many."""


def machine_facts() -> dict[str, Any]:
    """What a benchmark's result depends on."""
    return {
        "cpu": cpu_model(),
        "cores": usable_cores(),
        "memory_bytes": memory_bytes(),
        "load": list(os.getloadavg()),
        "kernel": platform.release(),
        "hostname": platform.node(),
    }


def cpu_model(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    try:
        lines = cpuinfo.read_text().splitlines()
    except OSError:
        lines = []
    for line in lines:
        key, _, value = line.partition(":")
        if key.strip() == "model name":
            return value.strip()
    return platform.machine()


def usable_cores() -> int:
    """The cores that this process may run on, which are fewer than the machine's in a container."""
    return len(os.sched_getaffinity(0))


def memory_bytes() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def busy(seconds: float = 0.3, sleep: Callable[[float], None] = time.sleep) -> str:
    """Why this is no moment to measure, or "" if it is one. Takes `seconds` of looking.

    The CPU time that was really used tells more than the load average, which remembers minutes.
    """
    before, own_before, start = _busy_seconds(), time.process_time(), time.monotonic()
    sleep(seconds)
    used = _busy_seconds() - before - (time.process_time() - own_before)
    cores = used / max(time.monotonic() - start, 1e-9)
    if cores <= STRAY_CORES:
        return ""
    return f"other processes are using {cores:.1f} of {usable_cores()} cores"


def _busy_seconds(stat: Path = Path("/proc/stat")) -> float:
    """CPU time that all cores together have spent working since the start of the machine.

    Steal counts too: a neighbour of this virtual machine disturbs as a process of our own does.
    """
    user, nice, system, _idle, _iowait, irq, softirq, steal = (
        int(word) for word in stat.read_text().splitlines()[0].split()[1:9]
    )
    return (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")
