"""MPICH's tree of selections: its own, with what was learnt in its place."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

from tasuki.host_rules import Tables

Tree = dict[str, Any]

# Where in the tree a collective's conditions begin, and what counts the bytes of decisions there.
ROOTS = {
    "allgather": (("collective=allgather", "comm_type=intra"), "total_msg_size"),
    "alltoall": (
        ("collective=alltoall", "comm_type=intra", "is_sendbuf_inplace=no"),
        "avg_msg_size",
    ),
    "bcast": (("collective=bcast", "comm_type=intra"), "avg_msg_size"),
}


def text(tables: Tables, library: Path) -> str:
    """ValueError if the library holds no tree."""
    selection = own_selection(library)
    for collective, table in tables.items():
        (*path, last), size_name = ROOTS[collective]
        tree = _at(selection, path, library)
        own = copy.deepcopy(_at(tree, [last], library))
        tree[last] = _by_ranks(table, own, size_name)
    return json.dumps(selection, indent=1) + "\n"


def _at(tree: Tree, path: list[str], library: Path) -> Tree:
    for step in path:
        if step not in tree:
            raise ValueError(
                f"{library} holds no table of MPICH's own decisions: MPICH 4.0 and 5.0 do"
            )
        tree = tree[step]
    return tree


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
    _at(found, list(ROOTS["alltoall"][0]), library)
    return found


def _by_ranks(table: dict[int, list[tuple[int, Any]]], own: Tree, size_name: str) -> Tree:
    """Conditions are tried in order; of a communicator, then of a message."""
    by_ranks: Tree = {}
    for ranks, by_bytes in table.items():
        if ranks > 1 and ranks - 1 not in table:
            by_ranks[f"comm_size<={ranks - 1}"] = own
        by_ranks[f"comm_size<={ranks}"] = _by_bytes(by_bytes, own, size_name)
    by_ranks["comm_size=any"] = own
    return by_ranks


def _by_bytes(by_bytes: list[tuple[int, str | None]], own: Tree, size_name: str) -> Tree:
    leaves = [own, *(own if name is None else {f"algorithm={name}": {}} for _, name in by_bytes)]
    ends = [f"{size_name}<={size - 1}" for size, _ in by_bytes if size > 0]
    return dict(zip([*ends, f"{size_name}=any"], leaves[-len(ends) - 1 :], strict=True))
