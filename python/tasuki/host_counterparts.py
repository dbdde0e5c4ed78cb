"""Which of a host's own algorithms moves data as one of ours does.

What is missing has no counterpart: pieces of a size that follows from the vector's, other radixes,
barriers between exchanges. Nor has what would not be right for every call that a rule is asked for.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

LARGEST_ELEMENT = 32
"""Bytes of the largest element of MPI, a complex number of two long doubles."""


@dataclass(frozen=True)
class Counterparts:
    host: str
    algorithms: dict[str, dict[str, Any]]
    """By collective, by what a decision names: the host's number or name."""
    needs_an_element_a_rank: frozenset[tuple[str, str]] = frozenset()
    """Those for which the host takes its slowest way where a vector has fewer elements than there
    are ranks."""
    needs_power_of_two: frozenset[tuple[str, str]] = frozenset()
    """Those that the host has for powers of two of ranks only."""
    one_node: frozenset[str] = field(default_factory=frozenset)
    """Collectives that the host asks its rules for on one node only: across nodes it goes by its
    own levels."""

    def find(self, row: dict[str, Any], name: str) -> Any:
        """None if there is none."""
        return None if self.why_not(row, name) else self._named(row, name)

    def why_not(self, row: dict[str, Any], name: str) -> str:
        """What keeps the host from it, as the end of a sentence; "" if nothing."""
        collective, ranks = row["collective"], row["ranks"]
        if self._named(row, name) is None:
            return f"has no counterpart in {self.host}"
        if collective in self.one_node and not is_on_one_node(row):
            return f"is across nodes, where {self.host} goes by levels of its own"
        place = (collective, name)
        if place in self.needs_an_element_a_rank and row["bytes"] < LARGEST_ELEMENT * ranks:
            return f"may have fewer elements than ranks here, which {self.host} is slow for"
        if place in self.needs_power_of_two and ranks & (ranks - 1):
            return f"is {self.host}'s for powers of two of ranks only"
        return ""

    def _named(self, row: dict[str, Any], name: str) -> Any:
        return self.algorithms.get(row["collective"], {}).get(name)


def is_on_one_node(row: dict[str, Any]) -> bool:
    return row.get("placement", "").removesuffix("-with-routes") == f"1x{row['ranks']}"


# With rules for allgather it decides by what is said of a send buffer also where that is
# MPI_IN_PLACE and may differ between ranks, which then wait for each other for ever.
OPEN_MPI = Counterparts(
    "Open MPI",
    {
        # Its rings (4 and 5) are not for operations that do not commute, and rules are for all.
        "allreduce": {"recursive-doubling": 3, "rabenseifner": 6},
        "alltoall": {
            "spread:window=0": 1,  # basic linear
            "pairwise": 2,
            "bruck:radix=2": 3,  # modified Bruck
        },
        "bcast": {
            "binomial": 6,
            "knomial:radix=4": 7,  # its default radix
            "scatter-allgather": 9,  # with a ring; 8 has recursive doubling
        },
    },
    needs_an_element_a_rank=frozenset(
        {("allreduce", "rabenseifner"), ("bcast", "scatter-allgather")}
    ),
)
INTEL = Counterparts(
    "Intel MPI",
    {
        "allgather": {"recursive-doubling": 1, "bruck:radix=2": 2, "ring": 3},
        "allreduce": {"recursive-doubling": 1, "rabenseifner": 2},
        "alltoall": {
            "bruck:radix=2": 1,
            "spread:window=0": 2,  # Isend/Irecv and waitall
            "pairwise": 3,
        },
        "bcast": {"binomial": 1},
    },
    needs_an_element_a_rank=frozenset({("allreduce", "rabenseifner")}),
    needs_power_of_two=frozenset({("allgather", "recursive-doubling")}),
)
# Its allreduce does not show that it reads these rules, so there are none for it.
MPICH = Counterparts(
    "MPICH",
    {
        "allgather": {
            "bruck:radix=2": "MPIR_Allgather_intra_brucks",
            "recursive-doubling": "MPIR_Allgather_intra_recursive_doubling",
            "ring": "MPIR_Allgather_intra_ring",
        },
        "alltoall": {
            "bruck:radix=2": "MPIR_Alltoall_intra_brucks",
            "spread:window=0": "MPIR_Alltoall_intra_scattered",
            "pairwise": "MPIR_Alltoall_intra_pairwise",
        },
        "bcast": {
            "binomial": "MPIR_Bcast_intra_binomial",
            "scatter-allgather": "MPIR_Bcast_intra_scatter_ring_allgather",
        },
    },
    needs_power_of_two=frozenset({("allgather", "recursive-doubling")}),
    one_node=frozenset({"bcast"}),
)
