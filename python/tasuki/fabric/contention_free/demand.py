"""What an all-to-all asks of a two-level tree, and the least number of stages that follows.

A message from leaf L to host d uses an uplink that depends on L and d only, and a downlink that
depends on d. The schedule itself is built by src/fabric/contention_free.hpp.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tasuki.fabric.paths import Routes


@dataclass(frozen=True)
class Demand:
    """A job of N hosts under P leaves. Hosts and leaves are numbered within the job."""

    leaf: np.ndarray
    """[host] -> leaf"""
    uplink: np.ndarray
    """[leaf, host] -> number of the uplink from the leaf towards the host, -1 for its own leaf"""
    downlink: np.ndarray
    """[leaf, host] -> number of the downlink by which the message arrives, -1 for its own leaf"""

    @property
    def hosts(self) -> int:
        return self.leaf.size

    @property
    def occupancy(self) -> np.ndarray:
        """[leaf] -> number of the job's hosts under it"""
        return np.bincount(self.leaf)

    def messages_per_link(self) -> tuple[np.ndarray, np.ndarray]:
        """Of each uplink and each downlink, in the whole all-to-all."""
        weights = np.broadcast_to(self.occupancy[:, None], self.uplink.shape)
        counts = []
        for link in (self.uplink, self.downlink):
            outside = link >= 0
            counts.append(np.bincount(link[outside], weights[outside]).astype(np.int64))
        return counts[0], counts[1]

    def least_stages(self) -> int:
        """No schedule without hot spots has fewer: each host receives from N - 1 others, and a link
        carries one message a stage."""
        busiest = max((int(load.max(initial=0)) for load in self.messages_per_link()), default=0)
        return max(self.hosts - 1, busiest)

    def has_own_downlinks(self) -> bool:
        """Whether each host is always reached by one downlink, which no other host shares: then
        least_stages() stages suffice (docs/design/fabric.md has the proof)."""
        owners: dict[int, int] = {}
        for host in range(self.hosts):
            arriving = np.unique(self.downlink[self.downlink[:, host] >= 0, host])
            if arriving.size > 1:
                return False
            for link in arriving.tolist():
                if owners.setdefault(link, host) != host:
                    return False
        return True


def demand_of(routes: Routes, hosts: np.ndarray, offsets: np.ndarray) -> Demand:
    """The demand of a job: `hosts` of the fabric, each reached by its own LID offset."""
    _, representative, leaf = np.unique(
        routes.fabric.leaf_of_host[hosts], return_index=True, return_inverse=True
    )
    lids = routes.lids(hosts, offsets)
    links = routes.links(hosts[representative][:, None], hosts[None, :], lids[None, :])
    outside = np.arange(representative.size)[:, None] != leaf
    if links.shape[-1] < 4:
        empty = np.full(outside.shape, -1)
        return Demand(leaf, empty, empty)
    return Demand(leaf, *(_numbered(links[..., hop], outside) for hop in (1, 2)))


def _numbered(links: np.ndarray, outside: np.ndarray) -> np.ndarray:
    numbers = np.full(links.shape, -1, dtype=np.int64)
    numbers[outside] = np.unique(links[outside], return_inverse=True)[1]
    return numbers


def occupancy_condition(occupancy: np.ndarray, roots_of_leaf: list[np.ndarray], roots: int) -> bool:
    """Whether N - 1 stages suffice when the hosts under leaf L have the distinct roots
    `roots_of_leaf[L]`: (c_r - b_rL) n_L <= N - 1 for every root r and leaf L, where c_r counts the
    hosts with root r and b_rL those of them under L."""
    total = int(occupancy.sum())
    with_root = np.zeros(roots, dtype=np.int64)
    for mine in roots_of_leaf:
        with_root[mine] += 1
    for count, mine in zip(occupancy, roots_of_leaf, strict=True):
        elsewhere = with_root.copy()
        elsewhere[mine] -= 1
        if (elsewhere * count).max() > total - 1:
            return False
    return True
