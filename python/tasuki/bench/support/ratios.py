"""Means of ratios, and how sure a ratio of two medians is."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

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


def certain_ratio(row: Mapping[str, Any], other: Mapping[str, Any]) -> float:
    """At least so many times the time of `other` is that of `row`, with about 95 % certainty.

    Medians differ where their notches do not overlap (McGill, Tukey and Larsen 1978). Rows have
    median_seconds, spread and repetitions.
    """
    least = row["median_seconds"] * (1 - _half_notch(row["spread"], row["repetitions"]))
    most = other["median_seconds"] * (1 + _half_notch(other["spread"], other["repetitions"]))
    return max(0.0, least / most)


def certain_median(ratios: Sequence[float]) -> float:
    """The same of ratios that were taken in pairs."""
    return max(0.0, statistics.median(ratios) * (1 - _half_notch(spread(ratios), len(ratios))))


def _half_notch(spread: float, count: int) -> float:
    return NOTCH * spread / math.sqrt(count)
