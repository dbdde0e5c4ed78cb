"""Why a candidate of a decision is in use or not, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tasuki.native import core
from tasuki.sizes import duration_text

FATES = {
    "waiting": "not measured in full yet",
    "winner": "in use",
    "slower": "measured in full, slower",
    "hopeless": "given up after the first look",
    "predicted": "cut by prediction, never measured in full",
    "failed": "did not run when it was asked to",
}


def reason(candidate: Mapping[str, Any], decision: Mapping[str, Any]) -> str:
    """With the limit that it was over, as far as what is kept tells."""
    limits = core().selection_limits(decision["oversubscribed"])
    if candidate["fate"] == "predicted":
        return _over_prediction(candidate, decision, limits) or FATES["predicted"]
    if candidate["fate"] == "hopeless" and candidate["name"] != "native":
        return f"{FATES['hopeless']}: over {limits['hopeless_factor']:g} x the best until then"
    return FATES[candidate["fate"]]


def _by_memory(candidate: Mapping[str, Any]) -> bool:
    return "carrier=memory" in candidate["name"]


def _luckiest(
    candidate: Mapping[str, Any],
    candidates: Sequence[Mapping[str, Any]],
) -> tuple[float, str] | None:
    """How much less than predicted the luckiest took that is carried as `candidate` is, as
    selection reckons it (expecting.cpp), and the name of the factor over which others are cut by
    that; None if nothing says so."""
    ratios = [
        each["measured"] / each["predicted"]
        for each in candidates
        if each["measured"] and each["predicted"] and _by_memory(each) == _by_memory(candidate)
    ]
    if len(ratios) > 1:
        return min(ratios), "look_factor_of_carrier"
    if ratios:
        return min(1.0, *ratios), "look_factor_of_carrier"
    by_host = [each["predicted"] for each in candidates if not _by_memory(each)]
    shortest = min((seconds for seconds in by_host if seconds), default=None)
    native = next((each["measured"] for each in candidates if each["name"] == "native"), None)
    if _by_memory(candidate) or not native or shortest is None:
        return None
    return min(1.0, native / shortest), "look_factor"


def _over_prediction(
    candidate: Mapping[str, Any], decision: Mapping[str, Any], limits: Mapping[str, float]
) -> str:
    """ "" if it is over none of the limits: the run had others (auto:grouping=midpoint)."""
    seconds = candidate["predicted"]
    predictions = [each["predicted"] for each in decision["candidates"] if each["predicted"]]
    if seconds is None or not predictions:
        return ""
    limit = limits["group_factor"] * min(predictions)
    if seconds > limit:
        return (
            f"cut by prediction: over {limits['group_factor']:g} x the shortest prediction, "
            f"{duration_text(limit)}"
        )
    measured = [each for each in decision["candidates"] if each["measured"]]
    found = _luckiest(candidate, decision["candidates"])
    if found is None:
        return ""
    luck, factor = found
    # Not even as much faster than predicted as the luckiest was would it have come near.
    best = min(each["measured"] for each in measured)
    limit = limits[factor] * best
    if seconds * luck <= limit:
        return ""
    return (
        f"cut by prediction: {duration_text(seconds * luck)} with the luck of the luckiest, "
        f"over {limits[factor]:g} x the best measured, {duration_text(limit)}"
    )
