"""The files of rules and the settings that hosts read."""

from __future__ import annotations

from typing import Any

Tables = dict[str, dict[int, list[tuple[int, Any]]]]
"""By collective, by number of ranks: from how many bytes (as decisions count them) on which of the
host's algorithms; None is the host's own choice."""

LARGEST = 2**31 - 1
OPEN_MPI_DECIDES = 0
OPEN_MPI_NUMBERS = {"allreduce": 2, "alltoall": 3, "bcast": 7}


def open_mpi(tables: Tables) -> str:
    """Open MPI silently refuses a file in which a list of sizes does not begin with 0, and takes
    what it says of a number of ranks for all from there to the next that is named."""
    lines = [f"{len(tables)} # collectives"]
    for collective, number in OPEN_MPI_NUMBERS.items():
        if collective in tables:
            lines += _open_mpi_section(collective, number, tables[collective])
    return "\n".join(lines) + "\n"


def _open_mpi_section(
    collective: str, number: int, table: dict[int, list[tuple[int, Any]]]
) -> list[str]:
    host_decides = [(0, OPEN_MPI_DECIDES)]
    sections: dict[int, list[tuple[int, int]]] = {0: host_decides}
    for ranks, by_bytes in table.items():
        # It counts the bytes of all blocks of a rank.
        blocks = ranks if collective == "alltoall" else 1
        rules = {0: OPEN_MPI_DECIDES} | {
            size * blocks: value or OPEN_MPI_DECIDES for size, value in by_bytes
        }
        sections[ranks] = list(rules.items())
        if ranks + 1 not in table:
            sections[ranks + 1] = host_decides
    lines = [f"{number} # {collective}", f"{len(sections)} # communicator sizes"]
    for ranks, rules in sorted(sections.items()):
        lines += [f"{ranks} # ranks", f"{len(rules)} # message sizes"]
        lines += [f"{size} {algorithm} 0 0" for size, algorithm in rules]
    return lines


def intel(tables: Tables) -> str:
    """One setting a line."""
    lines = []
    for collective, table in sorted(tables.items()):
        parts = []
        for ranks, by_bytes in table.items():
            # It counts the bytes of one block of an allgather; decisions those of all.
            blocks = ranks if collective == "allgather" else 1
            begins = [-(-size // blocks) for size, _ in by_bytes]
            ends = [begin - 1 for begin in begins[1:]] + [LARGEST]
            for begin, (_, number), end in zip(begins, by_bytes, ends, strict=True):
                if number is not None and begin <= end:
                    parts.append(f"{number}:{begin}-{end}@{ranks}-{ranks}")
        lines.append(f"I_MPI_ADJUST_{collective.upper()}={';'.join(parts)}\n")
    return "".join(lines)
