"""From which leaf every host receives in every stage, so that no uplink carries two messages.

Each stage is an integral flow: host d -> uplink (L, d) with capacity 1 -> leaf L with capacity n_L.
Sending 1/S of everything in each of S stages is a feasible fractional flow, so an integral one
exists that takes its share of all that is full; what remains is the same problem with S - 1
stages. Stages are peeled off one by one. A host that has nothing yet walks: it takes the next of
its remaining messages, and if leaf or uplink are full it sends one of those that hold them walking
in its place. The walk is the deterministic cousin of the random walk that finds matchings of
regular bipartite graphs in O(n log n) steps; a generator of random numbers that is written out
here makes every machine build the same stages.
"""

from __future__ import annotations

import numpy as np

from tasuki.fabric.contention_free.demand import Demand

REST = -1
"""In a stage: this host receives nothing."""


def leaf_stages(demand: Demand, stage_count: int) -> np.ndarray:
    """[stage, host] -> leaf to receive from, or REST. `stage_count` must be at least
    demand.least_stages(), and the demand must have own downlinks."""
    least = demand.least_stages()
    if stage_count < least:
        raise ValueError(f"{stage_count} stages are too few: the demand needs {least}")
    return _Peeling(demand, stage_count).run()


class _Peeling:
    """The messages that are left, and the capacities of the stage that is being made.

    Everything is made full, so that every stage must use all of it: resting is an extra leaf, and
    extra hosts send the messages that leaves have to spare. An uplink of which as many messages
    are left as stages gets a place of its own at its leaf, which must be taken in this stage.
    """

    def __init__(self, demand: Demand, stage_count: int):
        self.stage_count = stage_count
        self.hosts = demand.hosts
        occupancy = demand.occupancy.tolist()
        leaves = len(occupancy)
        self.rest_leaf = leaves
        spare_stages = stage_count - (self.hosts - 1)
        spare = spare_stages * self.hosts
        self.extra_hosts = -(-spare // max(1, stage_count))
        self.capacity = [*occupancy, self.extra_hosts]

        uplink = demand.uplink
        self.links = int(uplink.max(initial=-1)) + 1
        # Messages without an uplink (own leaf, rest) are counted under a link that is never full.
        self.link_of = np.where(uplink < 0, self.links, uplink).T.tolist()
        for row in self.link_of:
            row.append(self.links)
        self.link_of += [[self.links] * (leaves + 1) for _ in range(self.extra_hosts)]
        self.leaf_of_link = [0] * (self.links + 1)
        for leaf in range(leaves):
            for link in uplink[leaf][uplink[leaf] >= 0].tolist():
                self.leaf_of_link[link] = leaf
        self.left = self._messages(demand.leaf.tolist(), occupancy, spare_stages, spare)
        self.link_left = [0] * (self.links + 1)
        for links, leaves_left in zip(self.link_of, self.left, strict=True):
            for leaf in leaves_left:
                self.link_left[links[leaf]] += 1

    def _messages(self, leaf_of, occupancy, spare_stages, spare) -> list[list[int]]:
        """For each host, extra ones last, the leaves that it has still to receive from."""
        left = []
        for own in leaf_of:
            mine = [leaf for leaf, count in enumerate(occupancy) for _ in range(count)]
            mine.remove(own)
            left.append(mine + [self.rest_leaf] * spare_stages)
        filling = [
            leaf for leaf, count in enumerate(occupancy) for _ in range(count * spare_stages)
        ]
        filling += [self.rest_leaf] * (self.extra_hosts * self.stage_count - spare)
        for extra in range(self.extra_hosts):
            left.append(filling[extra :: self.extra_hosts])
        return left

    def run(self) -> np.ndarray:
        table = np.empty((self.stage_count, self.hosts), dtype=np.int32)
        generator = 0x9E3779B97F4A7C15
        for remaining in range(self.stage_count, 0, -1):
            chosen, generator = self._stage(remaining, generator)
            table[self.stage_count - remaining] = chosen[: self.hosts]
            self._take(chosen)
        table[table == self.rest_leaf] = REST
        return table

    def _stage(self, remaining: int, generator: int) -> tuple[list[int], int]:
        """One integral flow: [host] -> leaf."""
        room = self.capacity.copy()
        full_link = [False] * (self.links + 1)
        for link in range(self.links):
            if self.link_left[link] == remaining:
                full_link[link] = True
                room[self.leaf_of_link[link]] -= 1
        holders: list[list[int]] = [[] for _ in room]
        place = [0] * len(self.left)
        holder_of_link = [-1] * (self.links + 1)
        chosen = [-1] * len(self.left)
        none = self.links
        left, link_of = self.left, self.link_of
        for start in range(len(left)):
            host = start
            for _ in range(_LONGEST_WALK):
                if host < 0:
                    break
                generator = (generator * 6364136223846793005 + 1442695040888963407) & _MASK
                leaf = left[host][(generator >> 33) % remaining]
                link = link_of[host][leaf]
                chosen[host] = leaf
                if full_link[link]:
                    host, holder_of_link[link] = holder_of_link[link], host
                    continue
                evicted = holder_of_link[link] if link != none else -1
                mine = holders[leaf]
                if evicted >= 0:
                    place[host] = place[evicted]
                elif len(mine) < room[leaf]:
                    place[host] = len(mine)
                    mine.append(-1)
                else:
                    place[host] = (generator >> 20) % room[leaf] if room[leaf] else -1
                    if place[host] < 0:
                        # All of this leaf is kept for full uplinks: try another message.
                        continue
                    evicted = mine[place[host]]
                    old_link = link_of[evicted][leaf]
                    if old_link != none:
                        holder_of_link[old_link] = -1
                mine[place[host]] = host
                if link != none:
                    holder_of_link[link] = host
                host = evicted
            if host >= 0:
                raise AssertionError("a walk did not end: there are fewer stages than needed")
        return chosen, generator

    def _take(self, chosen: list[int]) -> None:
        for host, leaf in enumerate(chosen):
            mine = self.left[host]
            index = mine.index(leaf)
            mine[index] = mine[-1]
            mine.pop()
            self.link_left[self.link_of[host][leaf]] -= 1


_MASK = (1 << 64) - 1
_LONGEST_WALK = 1_000_000
"""Far beyond any walk seen; it ends what a mistake in the demand would make endless."""
