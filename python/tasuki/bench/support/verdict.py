"""What the runs of two ways say of each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

FEWEST_FOR_VERDICT = 4
"""Of equals, all of 4 runs are slower than all of 4 others once in 35 cases; of 3, once in 10."""


def verdict(row: Mapping[str, Any], without: Mapping[str, Any]) -> str:
    """Faster or slower only where not even the closest of enough runs overlap."""
    if min(row["repetitions"], without["repetitions"]) < FEWEST_FOR_VERDICT:
        return "too few runs to tell"
    if row["slowest_seconds"] < without["fastest_seconds"]:
        return "faster"
    if row["fastest_seconds"] > without["slowest_seconds"]:
        return "slower"
    return "no clear difference"
