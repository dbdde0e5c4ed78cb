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


def certain_ratio(row: Mapping[str, Any], other: Mapping[str, Any]) -> float:
    """At least so many times the time of `other` is that of `row`, with about 95 % certainty.

    Medians differ where their notches do not overlap (McGill, Tukey and Larsen 1978). Rows have
    median_seconds, spread (interquartile range over median) and repetitions.
    """
    least = row["median_seconds"] * (1 - _half_notch(row))
    return max(0.0, least / (other["median_seconds"] * (1 + _half_notch(other))))


def _half_notch(row: Mapping[str, Any]) -> float:
    return NOTCH * row["spread"] / math.sqrt(row["repetitions"])
