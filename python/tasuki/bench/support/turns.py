"""In which order ways have their turn."""

from __future__ import annotations


def in_turn(ways: tuple[str, ...], number: int) -> tuple[str, ...]:
    """The ways, begun with another one in each round: what comes after what may matter."""
    first = number % len(ways)
    return ways[first:] + ways[:first]
