"""Decisions in the words of the host MPIs."""

from __future__ import annotations

from typing import Any

FORMATS = ("openmpi", "intel")

# Which of the host's own algorithms moves data as ours does. What is missing has no counterpart.
OPEN_MPI = {
    "spread": 1,  # basic linear
    "pairwise": 2,
    "pairwise-light-barrier": 2,
    "pairwise-barrier": 2,
    "bruck": 3,  # modified Bruck
}
INTEL = {
    "bruck": 1,
    "spread": 2,  # Isend/Irecv and waitall
    "pairwise": 3,
    "pairwise-light-barrier": 3,
    "pairwise-barrier": 3,
}


def export_text(form: str, rows: list[dict[str, Any]]) -> str:
    """The decisions for all-to-all in a host's own form; "" if it has none of the winners."""
    wanted = [row for row in rows if row["collective"] == "alltoall"]
    return _open_mpi(wanted) if form == "openmpi" else _intel(wanted)


def _algorithm(row: dict[str, Any]) -> str:
    return str(row["winner"]).partition(":")[0]


def _by_ranks(rows: list[dict[str, Any]], numbers: dict[str, int]) -> dict[int, dict[int, int]]:
    """ranks -> bytes -> the host's number; of several placements the one with the most calls."""
    table: dict[int, dict[int, int]] = {}
    for row in sorted(rows, key=lambda row: row["calls"]):
        if _algorithm(row) in numbers:
            table.setdefault(row["ranks"], {})[row["bytes"]] = numbers[_algorithm(row)]
    return dict(sorted(table.items()))


def _open_mpi(rows: list[dict[str, Any]]) -> str:
    table = _by_ranks(rows, OPEN_MPI)
    if not table:
        return ""
    lines = ["1 # collectives", "3 # alltoall", f"{len(table)} # communicator sizes"]
    for ranks, by_bytes in table.items():
        lines += [f"{ranks} # ranks", f"{len(by_bytes)} # message sizes"]
        # Open MPI counts the bytes of all blocks of a rank.
        lines += [f"{size * ranks} {by_bytes[size]} 0 0" for size in sorted(by_bytes)]
    return "\n".join(lines) + "\n"


def _intel(rows: list[dict[str, Any]]) -> str:
    table = _by_ranks(rows, INTEL)
    parts = []
    for ranks, by_bytes in table.items():
        sizes = sorted(by_bytes)
        for size, following in zip(sizes, [*sizes[1:], None], strict=True):
            last = 2**31 - 1 if following is None else following - 1
            parts.append(f"{by_bytes[size]}:{size}-{last}@{ranks}-{ranks}")
    return f"I_MPI_ADJUST_ALLTOALL={';'.join(parts)}\n" if parts else ""
