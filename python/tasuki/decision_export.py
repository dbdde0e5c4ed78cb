"""Decisions in the words of the host MPIs.

What was learnt for one number of ranks holds for it only, and from each size that was learnt to the
next. Where the host's own choice was the best, or has nothing like what won, it stays.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

FORMATS = {"openmpi": "Open MPI", "mpich": "MPICH", "intel": "Intel"}
"""What can be exported to, and how the fingerprints of its decisions begin."""

# Which of the host's own algorithms moves data as ours does. What is missing has no counterpart.
OPEN_MPI = {
    "spread": 1,  # basic linear
    "pairwise": 2,
    "pairwise-light-barrier": 2,
    "pairwise-barrier": 2,
    "bruck": 3,  # modified Bruck
}
OPEN_MPI_DECIDES = 0
INTEL = {
    "bruck": 1,
    "spread": 2,  # Isend/Irecv and waitall
    "pairwise": 3,
    "pairwise-light-barrier": 3,
    "pairwise-barrier": 3,
}
MPICH = {
    "bruck": "MPIR_Alltoall_intra_brucks",
    "spread": "MPIR_Alltoall_intra_scattered",
    "pairwise": "MPIR_Alltoall_intra_pairwise",
    "pairwise-light-barrier": "MPIR_Alltoall_intra_pairwise",
    "pairwise-barrier": "MPIR_Alltoall_intra_pairwise",
}
LARGEST = 2**31 - 1

Tree = dict[str, Any]
Table = dict[int, list[tuple[int, Any]]]
"""By number of ranks: from how many bytes of a block on which algorithm; None is the host's own."""


def export_text(form: str, rows: list[dict[str, Any]], library: Path | None = None) -> str:
    """The decisions for all-to-all in a host's own form; "" if it has none of the winners.

    `library` is MPICH's libmpi, which holds the decisions that stay. ValueError if it does not.
    """
    wanted = [row for row in rows if row["collective"] == "alltoall"]
    if form == "openmpi":
        return _open_mpi(_table(wanted, OPEN_MPI))
    if form == "intel":
        return _intel(_table(wanted, INTEL))
    table = _table(wanted, MPICH)
    return _mpich(table, own_selection(library)) if table and library else ""


def _table(rows: list[dict[str, Any]], names: dict[str, Any]) -> Table:
    """Of several placements the one with the most calls counts; numbers of ranks for which the
    host's own stays everywhere are left out."""
    by_ranks: dict[int, dict[int, Any]] = {}
    for row in sorted(rows, key=lambda row: row["calls"]):
        algorithm = str(row["winner"]).partition(":")[0]
        by_ranks.setdefault(row["ranks"], {})[row["bytes"]] = names.get(algorithm)
    return {
        ranks: sorted(by_bytes.items())
        for ranks, by_bytes in sorted(by_ranks.items())
        if any(value is not None for value in by_bytes.values())
    }


def _open_mpi(table: Table) -> str:
    """Open MPI silently refuses a file in which a list of sizes does not begin with 0, and takes
    what it says of a number of ranks for all from there to the next that is named."""
    if not table:
        return ""
    host_decides = [(0, OPEN_MPI_DECIDES)]
    sections: dict[int, list[tuple[int, int]]] = {0: host_decides}
    for ranks, by_bytes in table.items():
        # Open MPI counts the bytes of all blocks of a rank.
        rules = {0: OPEN_MPI_DECIDES} | {
            size * ranks: value or OPEN_MPI_DECIDES for size, value in by_bytes
        }
        sections[ranks] = list(rules.items())
        if ranks + 1 not in table:
            sections[ranks + 1] = host_decides
    lines = ["1 # collectives", "3 # alltoall", f"{len(sections)} # communicator sizes"]
    for ranks, rules in sorted(sections.items()):
        lines += [f"{ranks} # ranks", f"{len(rules)} # message sizes"]
        lines += [f"{size} {number} 0 0" for size, number in rules]
    return "\n".join(lines) + "\n"


def _intel(table: Table) -> str:
    parts = []
    for ranks, by_bytes in table.items():
        ends = [size - 1 for size, _ in by_bytes[1:]] + [LARGEST]
        for (size, number), end in zip(by_bytes, ends, strict=True):
            if number is not None:
                parts.append(f"{number}:{size}-{end}@{ranks}-{ranks}")
    return f"I_MPI_ADJUST_ALLTOALL={';'.join(parts)}\n" if parts else ""


def own_selection(library: Path) -> Tree:
    """How an MPICH decides by itself for every collective, from its library.

    Its file replaces that whole: a collective that is not in it ends the program. ValueError if the
    library holds none.
    """
    content = library.read_bytes()
    found: Tree = {}
    begin = b'{"collective='
    place = content.find(begin)
    while place >= 0:
        end = content.find(b"\0", place)
        try:
            tree = json.loads(content[place:end])
        except ValueError:
            tree = {}
        # Others choose compositions, and for a few collectives only.
        if len(tree) > len(found):
            found = tree
        place = content.find(begin, end)
    try:
        _not_in_place(found)
    except KeyError as error:
        raise ValueError(
            f"{library} holds no table of MPICH's own decisions: MPICH 4.0 and 5.0 do"
        ) from error
    return found


def _not_in_place(selection: Tree) -> Tree:
    return selection["collective=alltoall"]["comm_type=intra"]["is_sendbuf_inplace=no"]


def _mpich(table: Table, selection: Tree) -> str:
    """Conditions are tried in order; of a communicator, then of a message."""
    own = copy.deepcopy(_not_in_place(selection))
    by_ranks: Tree = {}
    for ranks, by_bytes in table.items():
        if ranks > 1 and ranks - 1 not in table:
            by_ranks[f"comm_size<={ranks - 1}"] = own
        by_ranks[f"comm_size<={ranks}"] = _by_bytes(by_bytes, own)
    by_ranks["comm_size=any"] = own
    selection["collective=alltoall"]["comm_type=intra"]["is_sendbuf_inplace=no"] = by_ranks
    return json.dumps(selection, indent=1) + "\n"


def _by_bytes(by_bytes: list[tuple[int, str | None]], own: Tree) -> Tree:
    leaves = [own, *(own if name is None else {f"algorithm={name}": {}} for _, name in by_bytes)]
    ends = [f"avg_msg_size<={size - 1}" for size, _ in by_bytes if size > 0]
    return dict(zip([*ends, "avg_msg_size=any"], leaves[-len(ends) - 1 :], strict=True))
