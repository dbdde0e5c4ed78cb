"""Means of ratios, and how sure their medians are."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence

NOTCH = 1.57
"""Half a notch of a box plot, in interquartile ranges over the root of the number of values."""


def geometric_mean(ratios: Sequence[float]) -> float:
    return math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))


def spread(values: Sequence[float]) -> float:
    """Interquartile range over median."""
    if len(values) < 2:
        return 0.0
    lower, median, upper = statistics.quantiles(values, n=4, method="inclusive")
    return (upper - lower) / median


def certain_of(median: float, relative_spread: float, count: int) -> float:
    """At least so much is the median of so many values, with about 95 % certainty: the lower end of
    its notch (McGill, Tukey and Larsen 1978). The spread is their interquartile range over it."""
    return max(0.0, median * (1 - NOTCH * relative_spread / math.sqrt(count)))


def certain_median(values: Sequence[float]) -> float:
    return certain_of(statistics.median(values), spread(values), len(values))
