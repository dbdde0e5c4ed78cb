"""At which sizes functions must be known so that straight lines between them are good enough."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tasuki.sizes import size_text

TOLERANCE = 0.05
"""Kielmann, Bal and Verstoep refine until lines are so near to what is measured."""
NOISES = 3.0
"""A difference of fewer standard errors says nothing."""
FINEST = 2e-8
"""Seconds. Clocks tell no smaller difference."""
NEAREST = 1.25
"""Neighbouring sizes are not brought nearer to each other than this ratio ..."""
FEWEST_BYTES = 16
"""... or this difference."""


@dataclass(frozen=True)
class Sample:
    """A measured time and its standard error, and the mean of all measurements, in seconds."""

    seconds: float
    noise: float = 0.0
    mean: float = 0.0

    def times(self, factor: float) -> Sample:
        return Sample(self.seconds * factor, self.noise * factor, self.mean * factor)


Samples = dict[str, Sample]
"""By the name of a function."""


def refine(
    measure: Callable[[int], Samples],
    sizes: Sequence[int],
    most: int = 48,
    tell: Callable[[str], None] = lambda sentence: None,
) -> dict[int, Samples]:
    """What `measure` tells at `sizes` and at the sizes between that are needed, in ascending order.

    An interval is halved (geometrically) as long as some function is at its middle off the line
    between its ends, by more than TOLERANCE, the noise and what the clock tells. It stops at `most`
    sizes, and where sizes are near to each other; `tell` is told where that has ended it.
    """
    known = {size: measure(size) for size in sorted(set(sizes))}
    intervals = list(itertools.pairwise(known))
    off_line: set[tuple[int, int]] = set()
    while intervals and len(known) < most:
        left, right = intervals.pop(0)
        if right - left < FEWEST_BYTES or right < NEAREST * left:
            continue
        middle = _middle(left, right)
        known[middle] = measure(middle)
        off_line.discard((left, right))
        if _is_off_line(known[left], known[middle], known[right], left, middle, right):
            halves = [(left, middle), (middle, right)]
            intervals += halves
            off_line.update(halves)
    if left_over := off_line & set(intervals):
        tell(f"ended at {most} sizes; {_not_known(left_over)}")
    if near := off_line - set(intervals):
        tell(f"ended where sizes are {NEAREST:g} times the last or less; {_not_known(near)}")
    return dict(sorted(known.items()))


def _not_known(intervals: set[tuple[int, int]]) -> str:
    """Neighbours among the intervals, of which half of a longer one was off its line, are one."""
    joined: list[tuple[int, int]] = []
    for left, right in sorted(intervals):
        if joined and joined[-1][1] == left:
            joined[-1] = (joined[-1][0], right)
        else:
            joined.append((left, right))
    places = ", ".join(f"{size_text(left)} to {size_text(right)}" for left, right in joined)
    return f"lines may be more than {TOLERANCE:.0%} off from {places} bytes"


def _middle(left: int, right: int) -> int:
    return right // 2 if left == 0 else round(math.sqrt(left * right))


def _is_off_line(
    before: Samples, found: Samples, after: Samples, left: int, middle: int, right: int
) -> bool:
    part = (middle - left) / (right - left)
    for name, sample in found.items():
        low, high = before[name], after[name]
        line = low.seconds + part * (high.seconds - low.seconds)
        noise = math.hypot((1 - part) * low.noise, part * high.noise, sample.noise)
        allowed = max(TOLERANCE * sample.seconds, NOISES * noise, FINEST)
        if abs(sample.seconds - line) > allowed:
            return True
    return False
