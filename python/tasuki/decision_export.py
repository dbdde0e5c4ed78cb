"""Decisions in the words of the host MPIs.

What was learnt for one number of ranks holds for it only, and from each size that was learnt to the
next. Where the host's own choice was the best, or has nothing like what won, it stays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tasuki import mpich_selection
from tasuki.host_counterparts import INTEL, MPICH, OPEN_MPI, Counterparts
from tasuki.host_rules import Tables, intel, open_mpi

FORMATS = {"openmpi": "Open MPI", "mpich": "MPICH", "intel": "Intel"}
"""What can be exported to, and how the fingerprints of its decisions begin."""
COUNTERPARTS = {"openmpi": OPEN_MPI, "mpich": MPICH, "intel": INTEL}

MARGIN = 0.01
"""By how much another than the winner must be faster than the host's own: as in a run."""

MEASURED = ("winner", "slower")
"""Fates of candidates that were measured in full."""


@dataclass
class Export:
    """What a host can be told of decisions, and what not."""

    text: str = ""
    """In the host's own form; "" if it has nothing of what was learnt."""
    left_out: list[tuple[dict[str, Any], str]] = field(default_factory=list)
    """Decisions that are not in the text, each with the reason; those where the host's own is the
    best are not among them."""


def export(form: str, rows: list[dict[str, Any]], library: Path | None = None) -> Export:
    """The decisions in a host's own form.

    `library` is MPICH's libmpi, which holds the decisions that stay. ValueError if it does not.
    """
    counterparts = COUNTERPARTS[form]
    result = Export()
    tables = _tables(rows, counterparts, result)
    if tables:
        if form == "mpich":
            result.text = mpich_selection.text(tables, library) if library else ""
        else:
            write: Callable[[Tables], str] = open_mpi if form == "openmpi" else intel
            result.text = write(tables)
    return result


def _tables(rows: list[dict[str, Any]], counterparts: Counterparts, result: Export) -> Tables:
    """Of several placements the one with the most calls counts; numbers of ranks for which the
    host's own stays everywhere are left out."""
    kept: dict[tuple[str, int, int], dict[str, Any]] = {}
    for row in sorted(rows, key=lambda row: row["calls"]):
        place = (row["collective"], row["ranks"], row["bytes"])
        if place in kept:
            result.left_out.append((kept[place], "another placement has more calls"))
        kept[place] = row
    tables: Tables = {}
    for (collective, ranks, size), row in sorted(kept.items()):
        chosen, reason = _choice(row, counterparts)
        if reason:
            result.left_out.append((row, reason))
        tables.setdefault(collective, {}).setdefault(ranks, []).append((size, chosen))
    for collective, by_ranks in list(tables.items()):
        tables[collective] = {
            ranks: by_bytes
            for ranks, by_bytes in by_ranks.items()
            if any(value is not None for _, value in by_bytes)
        }
        if not tables[collective]:
            del tables[collective]
    return tables


def _choice(row: dict[str, Any], counterparts: Counterparts) -> tuple[Any, str]:
    """What the host has of the winner, or of the best of the others that are measured; None, and
    why, where it is left to itself."""
    winner = row["winner"]
    if winner == "native":
        return None, ""
    if row["collective"] not in counterparts.algorithms:
        names = ", ".join(sorted(counterparts.algorithms))
        return None, f"only {names} are written for {counterparts.host}"
    found = counterparts.find(row, winner)
    if found is not None:
        return found, ""
    why = "is carried by memory" if "carrier=" in winner else counterparts.why_not(row, winner)
    measured = {
        each["name"]: each["measured"]
        for each in row.get("candidates", [])
        if each["measured"] is not None and (each["fate"] in MEASURED or each["name"] == "native")
    }
    if (own := measured.get("native")) is None:
        return None, f"{winner} {why}, and the host's own was not measured"
    for name, seconds in sorted(measured.items(), key=lambda item: item[1]):
        found = counterparts.find(row, name)
        if found is not None and seconds * (1 + MARGIN) < own:
            return found, ""
    return None, f"{winner} {why}, and nothing else that the host has was faster than its own"
