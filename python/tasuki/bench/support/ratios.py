"""Means of ratios."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence


def geometric_mean(ratios: Sequence[float]) -> float:
    return math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))
