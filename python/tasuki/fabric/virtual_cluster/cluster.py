"""A fabric as namespaces. A LID is an IP address: 10.offset.x.y for host number 256 x + y."""

from __future__ import annotations

import numpy as np

from tasuki.fabric.error import FabricError
from tasuki.fabric.forwarding import NO_PORT
from tasuki.fabric.paths import Routes
from tasuki.fabric.virtual_cluster.namespaces import Namespace, why_not

_BURST = "6kb"
"""What a link may send at once: little, for a message must not slip through as a burst."""
_SOCKET_BUFFER = "4096 65536 65536"
_QUEUE = "4mb"
"""More than the messages of a stage: nothing is dropped, as on InfiniBand."""


def address(host: int, offset: int) -> str:
    return f"10.{offset}.{host // 256}.{host % 256 + 1}"


class VirtualCluster:
    """Use as a context manager. Only the hosts of `hosts` exist, with the switches of `routes`."""

    def __init__(self, routes: Routes, hosts: np.ndarray, megabits: float):
        """Every link carries `megabits` Mbit/s in each direction."""
        reason = why_not()
        if reason:
            raise FabricError(f"there is no virtual cluster on this machine: {reason}")
        self.routes, self.hosts, self.megabits = routes, np.sort(hosts), megabits
        self.namespaces: dict[int, Namespace] = {}

    def __enter__(self) -> VirtualCluster:
        try:
            first_switch = len(self.routes.fabric.hosts)
            switches = range(first_switch, first_switch + len(self.routes.fabric.switches))
            for vertex in (*self.hosts.tolist(), *switches):
                self.namespaces[vertex] = Namespace(self.routes.fabric.vertex_name(vertex))
            self._plug_cables()
            for vertex in switches:
                self._program(vertex)
        except BaseException:
            self.__exit__()
            raise
        return self

    def show_only(self, hosts: np.ndarray, offsets: np.ndarray) -> None:
        """Leaves each host the address of one LID offset, and that on its network device: what an
        MPI library finds there it uses."""
        for host, offset in zip(hosts.tolist(), offsets.tolist(), strict=True):
            own = address(host, offset)
            self.namespaces[host].batch(
                "ip",
                [
                    "address flush dev lo to 10.0.0.0/8",
                    "address flush dev p1",
                    f"address add {own}/8 dev p1 noprefixroute",
                    f"route replace 10.0.0.0/8 dev p1 src {own}",
                ],
            )

    def __exit__(self, *_: object) -> None:
        for namespace in self.namespaces.values():
            namespace.close()

    def _plug_cables(self) -> None:
        setup: dict[int, list[str]] = {vertex: [] for vertex in self.namespaces}
        limits: dict[int, list[str]] = {vertex: [] for vertex in self.namespaces}
        veths = []
        for number, (a, port_a, b, port_b) in enumerate(self.routes.fabric.cables.tolist()):
            if a not in self.namespaces or b not in self.namespaces:
                continue
            # Equal addresses at both ends: without ARP a device sends to its own address.
            mac = f"02:00:00:00:{number // 256:02x}:{number % 256:02x}"
            ends = [
                f"p{port} netns {self.namespaces[vertex].process} address {mac}"
                for vertex, port in ((a, port_a), (b, port_b))
            ]
            veths.append(f"link add name {ends[0]} type veth peer name {ends[1]}")
            for vertex, port in ((a, port_a), (b, port_b)):
                # Packets of one frame: acknowledgements must not wait behind long ones.
                setup[vertex].append(f"link set dev p{port} gso_max_segs 1 arp off up")
                limits[vertex].append(
                    f"qdisc add dev p{port} root tbf rate {self.megabits}mbit "
                    f"burst {_BURST} limit {_QUEUE}"
                )
        outside = Namespace()
        try:
            outside.batch("ip", veths)
        finally:
            outside.close()
        for vertex, namespace in self.namespaces.items():
            is_host = vertex < len(self.routes.fabric.hosts)
            lines = ["link set dev lo up", *setup[vertex]]
            if is_host:
                for offset in range(self.routes.tables.lids_per_host):
                    lines.append(f"address add {address(vertex, offset)}/32 dev lo")
                lines.append(f"route add 10.0.0.0/8 dev p1 src {address(vertex, 0)}")
            # Ways there and back differ, as on InfiniBand.
            namespace.set(ip_forward="1", conf__all__rp_filter="0", conf__default__rp_filter="0")
            if is_host:
                namespace.set(tcp_slow_start_after_idle="0", tcp_no_metrics_save="1")
                # A message counts as sent when it has almost arrived, as on InfiniBand: little of
                # it waits in the host's queue, and little in its sockets.
                namespace.set(tcp_limit_output_bytes="4096", tcp_wmem=_SOCKET_BUFFER)
            namespace.batch("ip", lines)
            namespace.batch("tc", limits[vertex])

    def _program(self, vertex: int) -> None:
        """The forwarding table of one switch as static routes."""
        tables = self.routes.tables
        row = tables.ports[vertex - len(self.routes.fabric.hosts)]
        lines = []
        for host in self.hosts.tolist():
            for offset in range(tables.lids_per_host):
                port = int(row[tables.base_lid[host] + offset])
                if port != NO_PORT:
                    lines.append(f"route add {address(host, offset)}/32 dev p{port}")
        self.namespaces[vertex].batch("ip", lines)
