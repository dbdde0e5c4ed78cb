"""Whether a subnet manager programmed what was meant, entry by entry."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tasuki.fabric.forwarding import Dump


@dataclass(frozen=True)
class Difference:
    """One thing that differs. `kind` is one of KINDS."""

    kind: str
    message: str


KINDS = {
    "fallback": "OpenSM fell back to another routing engine, or used another than `file`",
    "missing-switch": "a switch of the plan has no programmed table",
    "unplanned-switch": "a programmed switch is not in the plan",
    "moved": "a host has other LIDs than planned",
    "missing": "an entry of the plan was not programmed",
    "different": "an entry leads to another port than planned",
    "unplanned": "an entry was programmed that is not in the plan",
}

_CONFIGURED = re.compile(r"(\S+) tables configured")
_FALLBACK = re.compile(r"[Ff]alling back|fallback|not supported by fat-tree")


def compare(meant: Dump, programmed: Dump) -> list[Difference]:
    """All differences, by switch and LID; empty means that every entry is as planned."""
    differences = []
    for guid, table in sorted(meant.entries.items()):
        name = meant.names[guid]
        if guid not in programmed.entries:
            differences.append(
                Difference("missing-switch", f"switch {name} (0x{guid:x}) has no programmed table")
            )
            continue
        actual = programmed.entries[guid]
        for lid, (port, line, _) in sorted(table.items()):
            if lid not in actual:
                differences.append(
                    Difference(
                        "missing",
                        f"{name}: LID 0x{lid:04x} has no entry; {meant.source}:{line} says "
                        f"port {port}",
                    )
                )
            elif actual[lid][0] != port:
                differences.append(
                    Difference(
                        "different",
                        f"{name}: LID 0x{lid:04x} leaves by port {actual[lid][0]}; "
                        f"{meant.source}:{line} says port {port}",
                    )
                )
        for lid in sorted(set(actual) - set(table)):
            differences.append(
                Difference(
                    "unplanned",
                    f"{name}: LID 0x{lid:04x} leaves by port {actual[lid][0]}; "
                    f"{meant.source} has no entry",
                )
            )
    for guid in sorted(set(programmed.entries) - set(meant.entries)):
        differences.append(
            Difference(
                "unplanned-switch",
                f"switch {programmed.names[guid]} (0x{guid:x}) is not in {meant.source}",
            )
        )
    return _moved(meant, programmed) + differences


def _moved(meant: Dump, programmed: Dump) -> list[Difference]:
    """Hosts whose LIDs are not the planned ones: OpenSM maps entries for LIDs outside a port's
    range to its base LID, so several LIDs collapse to one."""
    planned, actual = _lids_by_owner(meant), _lids_by_owner(programmed)
    differences = []
    for guid in sorted(set(planned) & set(actual)):
        if planned[guid] != actual[guid]:
            differences.append(
                Difference(
                    "moved",
                    f"port 0x{guid:016x} has LIDs {_span(actual[guid])}; "
                    f"planned were {_span(planned[guid])}. Pin them with guid2lid and `opensm -x`",
                )
            )
    return differences


def _lids_by_owner(dump: Dump) -> dict[int, frozenset[int]]:
    owners: dict[int, set[int]] = {}
    for table in dump.entries.values():
        for lid, (_, _, owner) in table.items():
            if owner is not None:
                owners.setdefault(owner, set()).add(lid)
    return {owner: frozenset(lids) for owner, lids in owners.items()}


def _span(lids: frozenset[int]) -> str:
    return f"0x{min(lids):04x}..0x{max(lids):04x} ({len(lids)})"


def read_log(text: str) -> list[Difference]:
    """What OpenSM's log admits: a fallback, or tables that were not made by the `file` engine."""
    differences = []
    for line in text.splitlines():
        if _FALLBACK.search(line):
            differences.append(Difference("fallback", f"OpenSM's log: {line.strip()}"))
    engines = _CONFIGURED.findall(text)
    if not engines:
        differences.append(
            Difference("fallback", "OpenSM's log never says that tables are configured")
        )
    elif engines[-1] != "file":
        differences.append(
            Difference("fallback", f"OpenSM's log: {engines[-1]} tables configured, expected file")
        )
    return differences
