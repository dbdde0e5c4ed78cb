"""Which links a message takes, by following the forwarding tables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tasuki.fabric.error import FabricError
from tasuki.fabric.forwarding import ForwardingTables
from tasuki.fabric.topology import Fabric


@dataclass(frozen=True)
class Routes:
    """A fabric with its forwarding tables."""

    fabric: Fabric
    tables: ForwardingTables
    are_real: bool = False
    """Whether the tables were read from a network, not planned by us."""

    def lids(self, hosts: np.ndarray, offsets: np.ndarray | int = 0) -> np.ndarray:
        """The LIDs of `hosts` with the given offsets."""
        return self.tables.base_lid[hosts] + offsets

    def links(self, sources: np.ndarray, destinations: np.ndarray, lids: np.ndarray) -> np.ndarray:
        """[..., hop] -> the links from host `sources` to host `destinations` under `lids`, of
        broadcastable shapes; -1 after the last hop and for messages to oneself. Raises FabricError
        where a table has a hole or leads astray."""
        fabric, ports = self.fabric, self.tables.ports
        sources, destinations, lids = np.broadcast_arrays(sources, destinations, lids)
        shape = sources.shape
        sources, destinations, lids = (a.reshape(-1) for a in (sources, destinations, lids))
        if lids.size and (lids.max() >= ports.shape[1]):
            beyond = int(np.argmax(lids))
            raise FabricError(
                f"no table has an entry for LID {lids[beyond]} of "
                f"{fabric.hosts[destinations[beyond]].name}; the highest is {ports.shape[1] - 1}"
            )
        hops = [np.where(sources == destinations, -1, fabric.host_link[sources])]
        moving = np.flatnonzero(sources != destinations)
        at = fabric.leaf_of_host[sources[moving]]
        longest = 2 * len(fabric.switches) + 2
        while moving.size:
            port = ports[at, lids[moving]]
            # Port 0 is the switch itself: for a host's LID as wrong as no entry at all.
            cabled = port < fabric.link_at_port.shape[1]
            link = np.where(cabled, fabric.link_at_port[at, np.where(cabled, port, 0)], -1)
            holes = np.flatnonzero(link < 0)
            if holes.size:
                flow = moving[holes[0]]
                raise FabricError(
                    f"the table of {fabric.switches[at[holes[0]]].name} has a hole: no port for "
                    f"LID {lids[flow]} of {fabric.hosts[destinations[flow]].name}"
                )
            hop = np.full(sources.size, -1, dtype=np.int32)
            hop[moving] = link
            hops.append(hop)
            head = fabric.link_head[link]
            at_host = head < len(fabric.hosts)
            astray = np.flatnonzero(at_host & (head != destinations[moving]))
            if astray.size or len(hops) > longest:
                index = int(astray[0]) if astray.size else 0
                flow = moving[index]
                where = (
                    f"ends at {fabric.vertex_name(head[index])}" if astray.size else "never ends"
                )
                raise FabricError(
                    f"the way from {fabric.hosts[sources[flow]].name} to LID {lids[flow]} of "
                    f"{fabric.hosts[destinations[flow]].name} {where}"
                )
            at = head[~at_host] - len(fabric.hosts)
            moving = moving[~at_host]
        return np.stack(hops, axis=-1).reshape(*shape, len(hops))
