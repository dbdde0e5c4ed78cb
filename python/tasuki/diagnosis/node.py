"""What this node offers to ranks: cores, quiet, shared memory, device runtimes."""

from __future__ import annotations

import ctypes.util
import os
import tempfile
from pathlib import Path

from tasuki import machine
from tasuki.diagnosis.finding import Finding

SMALL_SHARED_MEMORY = 256 * 2**20
"""Bytes. Containers get 64 MiB by default, which a few ranks of an MPI fill."""
DEVICE_RUNTIMES = {"cuda": "CUDA", "amdhip64": "HIP", "ze_loader": "Level Zero"}


def core_finding(cores: int, quota: float | None) -> Finding:
    """`quota`: how many cores' time a container is given, None for no such limit."""
    if quota is not None and quota < cores:
        return Finding(
            "cores",
            "limited",
            f"{cores}, but the time of {quota:g} only",
            "the kernel stops ranks that use more: every wait for them costs the others time, and "
            "measurements say little about a cluster",
            "give the container more (docker run --cpus), or pin it (--cpuset-cpus)",
        )
    return Finding(
        "cores",
        "good" if cores > 1 else "limited",
        f"{cores} for this process",
        f"up to {cores} ranks have a core each; with more, every wait costs the others their time, "
        "and measurements say little about a cluster",
    )


def core_quota(root: Path = Path("/sys/fs/cgroup")) -> float | None:
    """How many cores' time this process's control group is given; None without a limit."""
    try:
        if (root / "cpu.max").exists():
            allowed, period = (root / "cpu.max").read_text().split()
        else:
            allowed = (root / "cpu/cpu.cfs_quota_us").read_text().strip()
            period = (root / "cpu/cpu.cfs_period_us").read_text().strip()
    except (OSError, ValueError):
        return None
    return int(allowed) / int(period) if allowed.isdigit() and int(period) else None


def load_finding(reason: str) -> Finding:
    if not reason:
        return Finding("load", "good", "quiet", "measurements can be trusted")
    return Finding(
        "load",
        "limited",
        reason,
        "measurements would show those processes rather than the MPI",
        "wait, or find them with top",
    )


def shared_memory_finding(folder: Path = Path("/dev/shm")) -> Finding:
    subject = str(folder)
    cost = "MPI libraries and Tasuki then move messages on this node through sockets or files"
    remount = f"mount -o remount,size=1G {folder}; in a container: docker run --shm-size=1g"
    if not folder.is_dir():
        return Finding(subject, "limited", "not there", cost, f"mount -t tmpfs tmpfs {folder}")
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            file.write(b"x")
            file.flush()
    except OSError as error:
        return Finding(subject, "limited", f"not writable: {error.strerror}", cost, remount)
    status = os.statvfs(folder)
    size, free = status.f_blocks * status.f_frsize, status.f_bavail * status.f_frsize
    limit = memory_limit()
    found = f"{mebibytes(free)} free of {mebibytes(size)}"
    if limit is not None:
        found += f", memory limit {mebibytes(limit)}"
        free = min(free, limit)
    # A size of 0 is a tmpfs without a limit.
    if size and free < SMALL_SHARED_MEMORY:
        meaning = f"few ranks fill it, and are then ended by SIGBUS or refused; {cost}"
        return Finding(subject, "limited", found, meaning, remount)
    return Finding(subject, "good", found, "ranks of this node can share memory")


def memory_limit(root: Path = Path("/sys/fs/cgroup")) -> int | None:
    """The memory in bytes that this process's control group may use, if less than all."""
    for name in ("memory.max", "memory/memory.limit_in_bytes"):
        try:
            text = (root / name).read_text().strip()
        except OSError:
            continue
        # "max" and absurd numbers both mean none.
        if text.isdigit() and int(text) < machine.memory_bytes():
            return int(text)
    return None


def device_finding() -> Finding:
    found = [name for library, name in DEVICE_RUNTIMES.items() if ctypes.util.find_library(library)]
    if not found:
        return Finding("devices", "absent", "no runtime", "all buffers are in the host's memory")
    meaning = "collectives on buffers in device memory are left to the MPI library, untouched"
    return Finding("devices", "good", ", ".join(found), meaning)


def mebibytes(size: int) -> str:
    return f"{size / 2**20:,.0f} MiB"
