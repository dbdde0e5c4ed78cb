"""Reads what `ibnetdiscover` prints, and the net files of ibsim, which look alike; writes the
latter, so that a described fabric can be simulated."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tasuki.fabric.error import FabricError, error_in_line
from tasuki.fabric.text_file import read_text
from tasuki.fabric.topology import Fabric, Host, Switch

_GUID = re.compile(r"(?:switch|ca|rt)guid=0x([0-9a-fA-F]+)")
_NODE = re.compile(r'(Switch|Ca|Hca|Rt)\s+(\d+)\s+"([^"]+)"(?:\s*#\s*(.*))?$')
_PORT = re.compile(
    r"\[(\d+)\](?:\[ext \d+\])?(?:\s*\(([0-9a-fA-F]+)\))?\s*"
    r'"([^"]+)"\[(\d+)\](?:\[ext \d+\])?(?:\s*\(([0-9a-fA-F]+)\))?\s*(?:#\s*(.*))?$'
)
_IGNORED = re.compile(r"(#|vendid=|devid=|sysimgguid=|DR path|Initiated|$)")


@dataclass
class _Node:
    kind: str
    key: str
    line: int
    ports: int
    guid: int | None
    label: str
    lid: int | None = None
    links: dict[int, tuple[str, int, int]] = field(default_factory=dict)
    """port -> (key of the peer, port of the peer, line)"""
    port_guids: dict[int, int] = field(default_factory=dict)
    port_lids: dict[int, tuple[int, int]] = field(default_factory=dict)
    """port -> (base LID, LMC)"""


def read_network(path: Path) -> Fabric:
    """The fabric in the file `path`; raises FabricError that names the line."""
    return parse_network(read_text(path, "what ibnetdiscover wrote"), str(path))


def parse_network(text: str, source: str) -> Fabric:
    """As read_network(), from `text`; `source` is what errors call it."""
    nodes = _parse_nodes(text, source)
    for node in nodes.values():
        for port, (peer, peer_port, line) in node.links.items():
            _check_cable(nodes, node, port, peer, peer_port, source, line)
    return _build(nodes, source)


def _parse_nodes(text: str, source: str) -> dict[str, _Node]:
    nodes: dict[str, _Node] = {}
    node: _Node | None = None
    guid: int | None = None
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if match := _GUID.match(line):
            guid = int(match[1], 16)
        elif match := _NODE.match(line):
            if match[3] in nodes:
                raise error_in_line(
                    source, number, f"{match[3]!r} stands in line {nodes[match[3]].line} already"
                )
            comment = match[4] or ""
            quoted = re.match(r'"([^"]*)"', comment)
            label = quoted[1] if quoted and quoted[1] else match[3]
            node = _Node(match[1], match[3], number, int(match[2]), guid, label)
            lid = re.search(r"\blid (\d+)", comment)
            node.lid = int(lid[1]) if lid else None
            nodes[node.key] = node
            guid = None
        elif match := _PORT.match(line):
            if node is None:
                raise error_in_line(source, number, "a port before any Switch or Ca line")
            port = int(match[1])
            if not 1 <= port <= node.ports:
                raise error_in_line(
                    source, number, f"port {port} of {node.label}, which has 1 to {node.ports}"
                )
            if port in node.links:
                raise error_in_line(source, number, f"port {port} of {node.label} appears twice")
            node.links[port] = (match[3], int(match[4]), number)
            if match[2]:
                node.port_guids[port] = int(match[2], 16)
            lid = re.match(r"lid (\d+) lmc (\d+)", match[6] or "")
            if lid:
                node.port_lids[port] = (int(lid[1]), int(lid[2]))
        elif not _IGNORED.match(line):
            raise error_in_line(
                source, number, f"{line!r} is no line of ibnetdiscover's or ibsim's format"
            )
    if not nodes:
        raise FabricError(f"{source}: holds no switch and no adapter")
    return nodes


def _check_cable(
    nodes: dict[str, _Node], node: _Node, port: int, peer: str, peer_port: int, source, line: int
) -> None:
    if peer not in nodes:
        raise error_in_line(source, line, f"the cable leads to {peer!r}, which is nowhere defined")
    if peer == node.key:
        raise error_in_line(source, line, f"the cable is a loop: both ends are on {node.label}")
    back = nodes[peer].links.get(peer_port)
    if back is not None and back[:2] != (node.key, port):
        raise error_in_line(
            source,
            line,
            f"port {peer_port} of {nodes[peer].label} is cabled to {back[0]}[{back[1]}] "
            f"in line {back[2]}, not to {node.key}[{port}]",
        )


def _build(nodes: dict[str, _Node], source: str) -> Fabric:
    adapters = [node for node in nodes.values() if node.kind in ("Ca", "Hca")]
    # An adapter's second port is an end point of its own.
    ends = [(node, port) for node in adapters for port in sorted(node.links)]
    hosts, host_vertex, names = [], {}, set()
    # Leaf by leaf, so that the numbers of hosts follow the tree, as the paper and ftree count.
    ends.sort(
        key=lambda end: (
            _natural(nodes[end[0].links[end[1]][0]].label),
            _natural(_host_name(*end)),
        )
    )
    for vertex, (node, port) in enumerate(ends):
        lid, lmc = node.port_lids.get(port, (None, None))
        guid = node.port_guids.get(port, (node.guid or _made_up_guid(node, nodes)) + port)
        name = _host_name(node, port)
        if name in names:
            raise error_in_line(source, node.line, f"two adapters are called {name!r}")
        names.add(name)
        hosts.append(Host(name, guid, lid, lmc))
        host_vertex[node.key, port] = vertex
    switch_nodes = sorted(
        (node for node in nodes.values() if node.kind == "Switch"),
        key=lambda node: (_natural(node.label), node.key),
    )
    switch_vertex = {node.key: len(hosts) + i for i, node in enumerate(switch_nodes)}
    switches = tuple(
        Switch(node.label, node.guid or _made_up_guid(node, nodes), node.ports, node.lid)
        for node in switch_nodes
    )

    def vertex_of(key: str, port: int) -> int:
        return switch_vertex[key] if key in switch_vertex else host_vertex[key, port]

    cables, origin, seen = [], [], set()
    for node in nodes.values():
        for port, (peer, peer_port, line) in node.links.items():
            ends_of_cable = frozenset([(node.key, port), (peer, peer_port)])
            if ends_of_cable in seen:
                continue
            seen.add(ends_of_cable)
            if (peer, peer_port) not in host_vertex and peer not in switch_vertex:
                raise error_in_line(
                    source, line, f"port {peer_port} of {peer} does not name this cable"
                )
            a, b = vertex_of(node.key, port), vertex_of(peer, peer_port)
            ends_in_order = (a, port, b, peer_port) if a < b else (b, peer_port, a, port)
            if ends_in_order[2] < len(hosts):
                raise error_in_line(source, line, "the cable joins two adapters; expected a switch")
            cables.append(ends_in_order)
            origin.append(f"{source}:{line}")
    order = sorted(range(len(cables)), key=lambda i: cables[i])
    return Fabric(
        source,
        tuple(hosts),
        switches,
        np.array([cables[i] for i in order], dtype=np.int64).reshape(-1, 4),
        tuple(origin[i] for i in order),
    )


def _host_name(node: _Node, port: int) -> str:
    """The first word of the description ("cn01 mlx5_0" is host cn01); later ports get a suffix."""
    name = node.label.split()[0]
    return name if port == min(node.links) else f"{name}:{port}"


def _made_up_guid(node: _Node, nodes: dict[str, _Node]) -> int:
    """ibsim's net files need no GUIDs; the order in the file makes distinct ones."""
    return 0xF00000 + 16 * list(nodes).index(node.key)


def _natural(name: str) -> list:
    """node2 before node10."""
    return [(0, int(p), "") if p.isdigit() else (1, 0, p) for p in re.findall(r"\d+|\D+", name)]


def ibsim_net(fabric: Fabric) -> str:
    """`fabric` as a net file of ibsim, with the GUIDs that the fabric has."""
    first_switch = len(fabric.hosts)
    ends: dict[int, list[tuple[int, int, int]]] = {}
    for a, port_a, b, port_b in fabric.cables.tolist():
        ends.setdefault(a, []).append((port_a, b, port_b))
        ends.setdefault(b, []).append((port_b, a, port_a))
    lines = []
    for number, switch in enumerate(fabric.switches):
        lines += [f"switchguid=0x{switch.guid:x}", f'Switch {switch.ports} "{switch.name}"']
        lines += _port_lines(fabric, sorted(ends.get(first_switch + number, [])))
    for number, host in enumerate(fabric.hosts):
        lines += [f"caguid=0x{host.port_guid - 1:x}", f'Hca 1 "{host.name}"']
        lines += _port_lines(fabric, ends[number])
    return "\n".join(lines) + "\n"


def _port_lines(fabric: Fabric, ends: list[tuple[int, int, int]]) -> list[str]:
    lines = [f'[{port}] "{fabric.vertex_name(peer)}"[{back}]' for port, peer, back in ends]
    return [*lines, ""]
