"""The file by which OpenSM remembers LIDs: given to it with `-x`, it pins them."""

from __future__ import annotations

from tasuki.fabric.forwarding import ForwardingTables
from tasuki.fabric.topology import Fabric


def guid2lid(fabric: Fabric, tables: ForwardingTables) -> str:
    """One line for each host and switch: port GUID, first LID, last LID. It belongs into the
    directory OSM_CACHE_DIR (whose value must end in a slash) under the name guid2lid."""
    lines = []
    for number, host in enumerate(fabric.hosts):
        first = int(tables.base_lid[number])
        lines.append(_line(host.port_guid, first, first + tables.lids_per_host - 1))
    for number, switch in enumerate(fabric.switches):
        lid = int(tables.switch_lid[number])
        lines.append(_line(switch.guid, lid, lid))
    # OpenSM takes everything up to an empty line for one entry, and drops what it cannot read.
    return "".join(f"{line}\n\n" for line in lines)


def _line(guid: int, first: int, last: int) -> str:
    return f"0x{guid:016x} 0x{first:04x} 0x{last:04x}"
