"""Processes that keep cores busy beside the ranks."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

# prctl(PR_SET_PDEATHSIG, SIGKILL): the kernel ends it with its parent, even one that was killed.
_SPIN = """\
import ctypes, os, sys
core, parent = map(int, sys.argv[1:])
ctypes.CDLL(None).prctl(1, 9)
os.sched_setaffinity(0, {core})
while os.getppid() == parent:
    for _ in range(10_000_000):
        pass
"""


@contextmanager
def busy_processes(count: int) -> Iterator[list[int]]:
    """While inside, `count` processes use all the time that they get, each on one of the cores that
    this process may use, in turn. Their process ids; they end with the block, or with us."""
    cores = sorted(os.sched_getaffinity(0))
    with ExitStack() as running:
        processes = []
        for number in range(count):
            core = cores[number % len(cores)]
            argv = [sys.executable, "-I", "-S", "-c", _SPIN, str(core), str(os.getpid())]
            process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            running.callback(process.wait)
            running.callback(process.kill)
            processes.append(process.pid)
        yield processes
