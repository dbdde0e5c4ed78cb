"""How many messages meet on a link, stage by stage.

`stages[t, i]` is the host (as its place in the job) to which host i of the job sends in stage t,
or REST. Leading dimensions, where there are any, are jobs that are computed together.
"""

from __future__ import annotations

import numpy as np

from tasuki.fabric.paths import Routes

REST = -1
_FLOWS_AT_ONCE = 1 << 19
"""Bounds the memory: about 100 bytes a flow."""


def shift_stages(hosts: int) -> np.ndarray:
    """Stage t: everybody sends to the host t + 1 places further on. hosts - 1 stages."""
    places = np.arange(hosts)
    return ((places + 1 + places[: hosts - 1, None]) % hosts).astype(np.int32)


def flow_links(
    routes: Routes,
    hosts: np.ndarray,
    offsets: np.ndarray,
    stages: np.ndarray,
    by_sender: bool = False,
) -> np.ndarray:
    """[..., stage, i, hop] -> the links between switches that the messages take, -1 elsewhere.
    `offsets[..., i]` is the LID offset that host i decides about: of messages to it, or, as in UCX,
    of messages from it (`by_sender`)."""
    places = np.arange(hosts.shape[-1])
    partner = np.where(stages < 0, places, stages)
    shape = np.broadcast_shapes(stages.shape, hosts[..., None, :].shape)
    partner = np.broadcast_to(partner, shape)
    destinations = np.take_along_axis(np.broadcast_to(hosts[..., None, :], shape), partner, -1)
    chosen = np.broadcast_to(offsets[..., None, :], shape)
    if not by_sender:
        chosen = np.take_along_axis(chosen, partner, -1)
    links = routes.links(hosts[..., None, :], destinations, routes.lids(destinations, chosen))
    return np.where(routes.fabric.switch_link_number[links] >= 0, links, -1)


def stage_peaks(
    routes: Routes,
    hosts: np.ndarray,
    offsets: np.ndarray,
    stages: np.ndarray,
    by_sender: bool = False,
) -> np.ndarray:
    """[..., stage] -> the most messages on one link between switches; more than 1 is a hot spot."""
    stage_count, places = stages.shape[-2:]
    jobs = hosts.shape[:-1]
    peaks = np.zeros((*jobs, stage_count), dtype=np.int64)
    chunk = max(1, _FLOWS_AT_ONCE // max(1, places * int(np.prod(jobs))))
    for begin in range(0, stage_count, chunk):
        part = slice(begin, begin + chunk)
        links = flow_links(routes, hosts, offsets, stages[..., part, :], by_sender)
        loads = loads_by_group(links.reshape(-1, links.shape[-2] * links.shape[-1]), routes)
        peaks[..., part] = loads.max(axis=1).reshape(links.shape[:-2])
    return peaks


def loads_by_group(links: np.ndarray, routes: Routes) -> np.ndarray:
    """[group, switch link] -> how often the link stands in links[group]; -1 is not counted."""
    number = routes.fabric.switch_link_number
    columns = int(number.max()) + 2
    groups = links.shape[0]
    # Column 0 is for what is not counted.
    flat = number[links] + (1 + columns * np.arange(groups, dtype=np.int64)[:, None])
    counts = np.bincount(flat.reshape(-1), minlength=groups * columns)
    counts = counts.reshape(groups, columns)
    counts[:, 0] = 0
    return counts


def total_loads(
    routes: Routes,
    hosts: np.ndarray,
    offsets: np.ndarray,
    stages: np.ndarray,
    by_sender: bool = False,
) -> np.ndarray:
    """[link] -> how many messages it carries in the whole schedule (one job)."""
    loads = np.zeros(len(routes.fabric.link_tail), dtype=np.int64)
    chunk = max(1, _FLOWS_AT_ONCE // hosts.size)
    for begin in range(0, len(stages), chunk):
        links = flow_links(routes, hosts, offsets, stages[begin : begin + chunk], by_sender)
        loads += np.bincount(links[links >= 0], minlength=loads.size)
    return loads
