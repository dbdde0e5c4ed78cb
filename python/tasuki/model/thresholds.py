"""From how many bytes on the memory transport takes another way, as measured on this machine.

bench/plogp/memory_thresholds.cpp times each way with settings that leave no other. Sizes are bytes,
times are seconds.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from tasuki.bench.support.programs import ProgramError, project_file
from tasuki.bench.support.rooms import compile_with_memory

SIZES = tuple(8192 << power for power in range(9))
"""Up to 2 MiB, which blocks hold on two ranks."""
ROUNDS = 9
MOST_SECONDS = 120

WARM, SHARED = "warm-bytes", "shared-bytes"
"""As the machine's file calls them: see Settings in src/transport/memory/settings.hpp."""


class Refused(Exception):
    """There is nothing to measure on this machine; the text tells why."""


def measure_thresholds(seconds: float, folder: Path) -> dict[str, int]:
    """Takes `seconds` for each size and way. Refused, or ProgramError."""
    source = project_file("bench/plogp/memory_thresholds.cpp")
    program = compile_with_memory(source, folder / "memory-thresholds", "-O2")
    sizes = ",".join(str(size) for size in SIZES)
    command = [str(program), str(seconds), sizes, str(ROUNDS)]
    try:
        ended = subprocess.run(command, capture_output=True, text=True, timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        raise ProgramError(f"{program.name} took more than {MOST_SECONDS} s") from None
    rows = [json.loads(line) for line in ended.stdout.splitlines()]
    for row in rows:
        if "refused" in row:
            raise Refused(row["refused"])
    if ended.returncode != 0 or len(rows) != len(SIZES):
        raise ProgramError(f"{program.name} ended with {ended.returncode}: {ended.stderr.strip()}")
    return thresholds_of(rows)


def thresholds_of(rows: Sequence[dict[str, Any]]) -> dict[str, int]:
    """Of rows in the order of their sizes. What never becomes faster begins above all of them.

    Where warm blocks are never slower, nothing is said: then their number ends them.
    """
    above = 2 * rows[-1]["bytes"]
    found = {SHARED: first_faster(rows, "shared", "straight") or above}
    past_warm = first_faster(rows, "straight, answered", "warm blocks")
    if past_warm is not None:
        found[WARM] = past_warm // 2
    return found


def first_faster(rows: Sequence[dict[str, Any]], way: str, other: str) -> int | None:
    """The size from which on `way` takes less time than `other` at each size, by the median of the
    ratios within the rounds."""
    first = None
    for row in reversed(rows):
        ratios = (mine / others for mine, others in zip(row[way], row[other], strict=True))
        if median(ratios) >= 1:
            break
        first = row["bytes"]
    return first


def with_thresholds(text: str, thresholds: dict[str, int]) -> str:
    """The text of a machine's parameters, with what was measured of the memory transport."""
    lines = "".join(f"memory {name} {size}\n" for name, size in thresholds.items())
    return text.removesuffix("end\n") + lines + "end\n"
