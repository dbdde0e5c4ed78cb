"""The hosts of a job, from a hostfile, in the order of its ranks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tasuki.fabric.error import FabricError, error_in_line
from tasuki.fabric.text_file import read_text
from tasuki.fabric.topology import Fabric

_LINE = re.compile(r"([^\s:]+)(?::(\d+))?((?:\s+\w+\s*=\s*\S+)*)$")
_SLOTS = re.compile(r"\bslots\s*=\s*(\d+)")


@dataclass(frozen=True)
class Job:
    """`hosts[i]` is the fabric's number of the i-th host, `slots[i]` how many ranks it runs."""

    hosts: np.ndarray
    slots: tuple[int, ...]


def read_hostfile(path: Path, fabric: Fabric) -> Job:
    """Reads "node3", "node3 slots=8" (Open MPI) or "node3:8" (Hydra), one host a line; a host that
    is named again gets the slots of both lines. Raises FabricError that names the line."""
    return parse_hostfile(read_text(path, "a hostfile"), fabric, str(path))


def parse_hostfile(text: str, fabric: Fabric, source: str) -> Job:
    """As read_hostfile(), from `text`; `source` is what errors call it."""
    slots: dict[int, int] = {}
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.split("#")[0].strip()
        if not line:
            continue
        match = _LINE.match(line)
        if not match:
            raise error_in_line(source, number, f"{line!r}: expected HOST, HOST:N or HOST slots=N")
        named = _SLOTS.search(match[3] or "")
        count = int(match[2] or (named[1] if named else 1))
        if count < 1:
            raise error_in_line(source, number, f"{match[1]} has no slot")
        try:
            host = fabric.host(match[1])
        except FabricError as error:
            raise error_in_line(source, number, str(error)) from error
        slots[host] = slots.get(host, 0) + count
    if not slots:
        raise FabricError(f"{source}: names no host")
    return Job(np.array(list(slots), dtype=np.int64), tuple(slots.values()))
