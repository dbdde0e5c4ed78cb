"""A schedule for any fabric and any tables: every message goes into the first stage in which its
sender, its receiver and all its links are free.

No bound is proved: it is the heuristic for three-level trees and for tables under which hosts
share downlinks.
"""

from __future__ import annotations

import numpy as np

from tasuki.fabric.contention_free.leaf_stages import REST
from tasuki.fabric.link_loads import flow_links, shift_stages, total_loads
from tasuki.fabric.paths import Routes


def least_stages(
    routes: Routes, hosts: np.ndarray, offsets: np.ndarray, by_sender: bool = False
) -> int:
    """No schedule without hot spots has fewer: the messages of the busiest link, or N - 1."""
    loads = total_loads(routes, hosts, offsets, shift_stages(hosts.size), by_sender)
    return max(hosts.size - 1, int(loads.max(initial=0)))


def first_fit_stages(
    routes: Routes, hosts: np.ndarray, offsets: np.ndarray, by_sender: bool = False
) -> np.ndarray:
    """[stage, sender] -> receiver, or REST."""
    places = hosts.size
    # One bit a stage, set where the sender, receiver or link is busy.
    sender_busy = [0] * places
    receiver_busy = [0] * places
    link_busy = [0] * len(routes.fabric.link_tail)
    placed: list[tuple[int, int, int]] = []
    for shift in shift_stages(places):
        links = flow_links(routes, hosts, offsets, shift[None], by_sender)[0].tolist()
        for sender, (receiver, mine) in enumerate(zip(shift.tolist(), links, strict=True)):
            busy = sender_busy[sender] | receiver_busy[receiver]
            for link in mine:
                if link >= 0:
                    busy |= link_busy[link]
            first_free = ~busy & (busy + 1)
            sender_busy[sender] |= first_free
            receiver_busy[receiver] |= first_free
            for link in mine:
                if link >= 0:
                    link_busy[link] |= first_free
            placed.append((first_free.bit_length() - 1, sender, receiver))
    stage_count = 1 + max((stage for stage, _, _ in placed), default=-1)
    stages = np.full((stage_count, places), REST, dtype=np.int32)
    for stage, sender, receiver in placed:
        stages[stage, sender] = receiver
    return stages
