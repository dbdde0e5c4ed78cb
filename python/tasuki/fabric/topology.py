"""A fabric as a graph: hosts, switches, and cables between their ports.

A vertex is a number: hosts come first, then switches. A cable is two directed links: link
`2 c` leads from the first end of cable `c` to the second, link `2 c + 1` back.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from tasuki.fabric.error import FabricError


@dataclass(frozen=True)
class Host:
    """An end point: one port of one adapter."""

    name: str
    port_guid: int
    base_lid: int | None = None
    """The first of its LIDs; None where no subnet manager has given any."""
    lmc: int | None = None


@dataclass(frozen=True)
class Switch:
    name: str
    guid: int
    ports: int
    lid: int | None = None


@dataclass(frozen=True)
class Fabric:
    """Hosts, switches and cables. `cables[c]` is (vertex, port, vertex, port)."""

    name: str
    hosts: tuple[Host, ...]
    switches: tuple[Switch, ...]
    cables: np.ndarray
    origin: tuple[str, ...] = field(default=(), repr=False)
    """Where each cable was read, for errors: "file:line"; empty for described fabrics."""

    @cached_property
    def link_tail(self) -> np.ndarray:
        """The vertex that each directed link leaves."""
        return self.cables[:, [0, 2]].reshape(-1)

    @cached_property
    def link_head(self) -> np.ndarray:
        """The vertex that each directed link enters."""
        return self.cables[:, [2, 0]].reshape(-1)

    @cached_property
    def link_at_port(self) -> np.ndarray:
        """[switch, port] -> the directed link that leaves there, or -1."""
        most_ports = max((switch.ports for switch in self.switches), default=0)
        table = np.full((len(self.switches), most_ports + 1), -1, dtype=np.int32)
        tails = self.link_tail
        ports = self.cables[:, [1, 3]].reshape(-1)
        from_switch = np.flatnonzero(tails >= len(self.hosts))
        table[tails[from_switch] - len(self.hosts), ports[from_switch]] = from_switch
        return table

    @cached_property
    def host_link(self) -> np.ndarray:
        """[host] -> the directed link from the host into its leaf switch."""
        table = np.full(len(self.hosts), -1, dtype=np.int32)
        tails = self.link_tail
        from_host = np.flatnonzero(tails < len(self.hosts))
        table[tails[from_host]] = from_host
        return table

    @cached_property
    def leaf_of_host(self) -> np.ndarray:
        """[host] -> the number of the switch that it is plugged into."""
        return self.link_head[self.host_link] - len(self.hosts)

    @cached_property
    def is_switch_link(self) -> np.ndarray:
        """[link] -> whether both ends are switches; only such links can be hot spots."""
        first_switch = len(self.hosts)
        return (self.link_tail >= first_switch) & (self.link_head >= first_switch)

    @cached_property
    def switch_link_number(self) -> np.ndarray:
        """[link] -> its number among the links between switches, or -1; so for link -1 too."""
        number = np.full(len(self.link_tail) + 1, -1, dtype=np.int32)
        between = np.flatnonzero(self.is_switch_link)
        number[between] = np.arange(between.size)
        return number

    @cached_property
    def host_number(self) -> dict[str, int]:
        return {host.name: number for number, host in enumerate(self.hosts)}

    def vertex_name(self, vertex: int) -> str:
        if vertex < len(self.hosts):
            return self.hosts[vertex].name
        return self.switches[vertex - len(self.hosts)].name

    def link_name(self, link: int) -> str:
        """Tail and head, with the port where a switch is left: "leaf3[7] -> root2"."""
        cable, backwards = divmod(int(link), 2)
        port = self.cables[cable, 3 if backwards else 1]
        tail = self.vertex_name(self.link_tail[link])
        return f"{tail}[{port}] -> {self.vertex_name(self.link_head[link])}"

    def place_of_cable(self, cable: int) -> str:
        """Where the cable was read, or its two ends."""
        if self.origin:
            return self.origin[cable]
        return f"{self.name}, cable {self.link_name(2 * cable)}"

    def host(self, name: str) -> int:
        """The number of the host called `name`."""
        if name not in self.host_number:
            raise FabricError(
                f"host {name!r} is not in fabric {self.name}; "
                f"its hosts are {summary_of_names([host.name for host in self.hosts])}"
            )
        return self.host_number[name]


def summary_of_names(names: list[str]) -> str:
    """The first and last names: enough to see what kind of name was expected."""
    if len(names) <= 6:
        return ", ".join(names) or "none"
    return f"{', '.join(names[:3])}, ... {names[-1]} ({len(names)} in all)"
