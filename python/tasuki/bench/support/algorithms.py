"""The names of the algorithms, from the table."""

from __future__ import annotations

from tasuki.native import core


def algorithm_names(collective: str) -> list[str]:
    """The names of all algorithms of a collective, in the order of the table."""
    return [row["name"] for row in core().algorithms() if row["collective"] == collective]
