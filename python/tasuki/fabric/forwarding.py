"""Linear forwarding tables: for each switch and LID the port to leave by.

`dump_lfts`, `dump_fts`, OpenSM's own `opensm-lfts.dump` and the input of its `file` routing engine
share one text format, which is read and written here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tasuki.fabric.error import FabricError, error_in_line
from tasuki.fabric.text_file import read_text
from tasuki.fabric.topology import Fabric

NO_PORT = 255
"""InfiniBand's own mark for "drop": the switch has no entry for this LID."""
LAST_UNICAST_LID = 0xBFFF

_SWITCH = re.compile(r"Unicast lids.*\bguid 0x([0-9a-fA-F]+)(?:\s*\((.*)\))?")
_ENTRY = re.compile(r"0x([0-9a-fA-F]+)\s+(\d+)\b\s*(?::\s*(.*))?$")
_PORT_GUID = re.compile(r"portguid 0x([0-9a-fA-F]+)")
_IGNORED = re.compile(r"(#|Lid\s+Out|\s*Port|\s*Info|\d+ (valid )?lids dumped|.*replaced by|$)")


@dataclass(frozen=True)
class ForwardingTables:
    """`ports[switch, lid]`; NO_PORT where there is no entry, 0 for the switch itself."""

    ports: np.ndarray
    base_lid: np.ndarray
    """[host] -> its first LID"""
    lmc: int
    switch_lid: np.ndarray
    """[switch] -> its LID, or -1"""

    @property
    def lids_per_host(self) -> int:
        return 1 << self.lmc


@dataclass(frozen=True)
class Dump:
    """What a dump says, before it is fitted to a fabric."""

    source: str
    entries: dict[int, dict[int, tuple[int, int, int | None]]]
    """switch GUID -> LID -> (port, line, port GUID of the owner where the comment names it)"""
    names: dict[int, str]


def read_dump(path: Path) -> Dump:
    """Reads a dump; raises FabricError that names the line."""
    return parse_dump(read_text(path, "what dump_lfts or dump_fts wrote"), str(path))


def parse_dump(text: str, source: str) -> Dump:
    """As read_dump(), from `text`; `source` is what errors call it."""
    dump = Dump(source, {}, {})
    table: dict[int, tuple[int, int, int | None]] | None = None
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if match := _SWITCH.match(line):
            guid = int(match[1], 16)
            if guid in dump.entries:
                raise error_in_line(source, number, f"switch 0x{guid:x} appears twice")
            table = dump.entries.setdefault(guid, {})
            dump.names[guid] = match[2] or f"0x{guid:x}"
        elif match := _ENTRY.match(line):
            if table is None:
                raise error_in_line(source, number, "an entry before any 'Unicast lids' line")
            lid, port = int(match[1], 16), int(match[2])
            if lid in table:
                raise error_in_line(source, number, f"LID 0x{lid:04x} appears twice")
            if port >= NO_PORT:
                raise error_in_line(source, number, f"port {port}; a switch has at most 254")
            owner = _PORT_GUID.search(match[3] or "")
            table[lid] = (port, number, int(owner[1], 16) if owner else None)
        elif not _IGNORED.match(line):
            raise error_in_line(
                source, number, f"{line!r} is neither a 'Unicast lids' line nor 'LID port : ...'"
            )
    if not dump.entries:
        raise FabricError(f"{source}: holds no forwarding table")
    return dump


def fit_to_fabric(dump: Dump, fabric: Fabric) -> ForwardingTables:
    """The tables of `fabric` out of `dump`. LIDs come from the dump's own comments, else from the
    fabric. Raises FabricError for unknown switches, ports without a cable, and switches or hosts
    that are missing."""
    number_of = {switch.guid: number for number, switch in enumerate(fabric.switches)}
    highest = max((max(table, default=0) for table in dump.entries.values()), default=0)
    ports = np.full((len(fabric.switches), highest + 1), NO_PORT, dtype=np.uint8)
    owners: dict[int, list[int]] = {}
    for guid, table in dump.entries.items():
        if guid not in number_of:
            raise FabricError(
                f"{dump.source}: switch 0x{guid:016x} ({dump.names[guid]}) is not in "
                f"{fabric.name}; was the network changed since one of the two was written?"
            )
        switch = number_of[guid]
        for lid, (port, line, owner) in table.items():
            if port and (
                port > fabric.switches[switch].ports or fabric.link_at_port[switch, port] < 0
            ):
                raise error_in_line(
                    dump.source,
                    line,
                    f"port {port} of {fabric.switches[switch].name} has no cable in {fabric.name}",
                )
            ports[switch, lid] = port
            if owner is not None:
                owners.setdefault(owner, []).append(lid)
    missing = set(number_of) - set(dump.entries)
    if missing:
        name = fabric.switches[number_of[min(missing)]].name
        raise FabricError(f"{dump.source}: there is no table for switch {name} of {fabric.name}")
    return _with_lids(dump, fabric, ports, owners)


def _with_lids(dump: Dump, fabric: Fabric, ports, owners) -> ForwardingTables:
    base, spans = [], set()
    for host in fabric.hosts:
        lids = owners.get(host.port_guid)
        if lids:
            base.append(min(lids))
            spans.add(max(lids) - min(lids) + 1)
        elif host.base_lid is not None:
            base.append(host.base_lid)
            spans.add(1 << (host.lmc or 0))
        else:
            raise FabricError(
                f"{dump.source}: no entry names host {host.name} "
                f"(port GUID 0x{host.port_guid:016x})"
            )
    lmc = max(spans).bit_length() - 1
    switch_lid = np.full(len(fabric.switches), -1, dtype=np.int64)
    for number, switch in enumerate(fabric.switches):
        lids = np.flatnonzero(ports[number] == 0)
        if lids.size == 1:
            switch_lid[number] = lids[0]
        elif switch.lid is not None:
            switch_lid[number] = switch.lid
    return ForwardingTables(ports, np.array(base, dtype=np.int64), lmc, switch_lid)


def write_dump(fabric: Fabric, tables: ForwardingTables) -> str:
    """`tables` in the common format, with the comments by which OpenSM follows moved LIDs."""
    owner = _owners(fabric, tables)
    highest = tables.ports.shape[1] - 1
    lines = []
    for number, switch in enumerate(fabric.switches):
        lid = max(int(tables.switch_lid[number]), 0)
        lines.append(
            f"Unicast lids [0x0-0x{highest:x}] of switch Lid {lid} "
            f"guid 0x{switch.guid:016x} ({switch.name}):"
        )
        lids = np.flatnonzero(tables.ports[number] != NO_PORT)
        for lid, port in zip(lids.tolist(), tables.ports[number, lids].tolist(), strict=True):
            lines.append(f"0x{lid:04x} {port:03d} : {owner.get(lid, '')}".rstrip(" :"))
        lines.append(f"{lids.size} valid lids dumped")
    return "\n".join(lines) + "\n"


def _owners(fabric: Fabric, tables: ForwardingTables) -> dict[int, str]:
    owner = {}
    for number, host in enumerate(fabric.hosts):
        text = f"(Channel Adapter portguid 0x{host.port_guid:016x}: '{host.name}')"
        for offset in range(tables.lids_per_host):
            owner[int(tables.base_lid[number]) + offset] = text
    for number, switch in enumerate(fabric.switches):
        if tables.switch_lid[number] >= 0:
            owner[int(tables.switch_lid[number])] = (
                f"(Switch portguid 0x{switch.guid:016x}: '{switch.name}')"
            )
    return owner
