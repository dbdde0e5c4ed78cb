"""A schedule for any fabric and any tables: every message goes into the first stage in which its
sender, its receiver and all its links are free (src/fabric/first_fit.hpp).

No bound is proved: it is the heuristic for three-level trees and for tables under which hosts
share downlinks.
"""

from __future__ import annotations

import numpy as np

from tasuki.fabric.link_loads import flow_links, shift_stages, total_loads
from tasuki.fabric.paths import Routes
from tasuki.native import core


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
    places = np.arange(hosts.size)
    shifts = (places + places[:, None]).astype(np.int64) % hosts.size
    by_shift = flow_links(routes, hosts, offsets, shifts, by_sender)
    links = np.full((hosts.size, *by_shift.shape[1:]), -1, dtype=np.int32)
    links[places[None, :], shifts] = by_shift
    return core().first_fit_stages(links)
