"""The contention-free schedule of a job, with the proof that it is one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tasuki.fabric.contention_free import first_fit
from tasuki.fabric.contention_free.demand import demand_of
from tasuki.fabric.levels import switch_levels
from tasuki.fabric.link_loads import REST, stage_peaks
from tasuki.fabric.paths import Routes
from tasuki.native import core


@dataclass(frozen=True)
class ContentionFree:
    """`stages[t, i]` is the host to which host i sends in stage t, or REST."""

    stages: np.ndarray
    least_stages: int
    """No schedule without hot spots has fewer stages."""

    @property
    def is_shortest(self) -> bool:
        return len(self.stages) == self.least_stages


def contention_free(
    routes: Routes, hosts: np.ndarray, offsets: np.ndarray, by_sender: bool = False
) -> ContentionFree:
    """A schedule without any hot spot for the job `hosts` under the given LID offsets: the
    shortest one in two-level trees where every host has a downlink of its own, a heuristic one
    otherwise. `by_sender` as in link_loads.flow_links()."""
    if int(switch_levels(routes.fabric).max()) <= 2:
        demand = demand_of(routes, hosts, offsets)
        if demand.has_own_downlinks():
            least = demand.least_stages()
            stages = core().contention_free_stages(
                demand.leaf.astype(np.int32), demand.uplink.astype(np.int32)
            )
            if not by_sender:
                return ContentionFree(stages, least)
            # Seen backwards, a way that the receiver chose is one that the sender chose.
            stages = reversed_stages(stages)
            if not flaws(routes, hosts, offsets, stages, by_sender):
                return ContentionFree(stages, least)
    least = first_fit.least_stages(routes, hosts, offsets, by_sender)
    return ContentionFree(first_fit.first_fit_stages(routes, hosts, offsets, by_sender), least)


def reversed_stages(stages: np.ndarray) -> np.ndarray:
    """Every message goes from its receiver to its sender."""
    backwards = np.full_like(stages, REST)
    row, sender = np.nonzero(stages != REST)
    backwards[row, stages[row, sender]] = sender
    return backwards


def flaws(
    routes: Routes,
    hosts: np.ndarray,
    offsets: np.ndarray,
    stages: np.ndarray,
    by_sender: bool = False,
) -> list[str]:
    """What keeps `stages` from being an all-to-all without hot spots; empty is the proof.
    Every pair exactly once, in each stage nobody receives twice, no link carries two messages."""
    places = hosts.size
    found = []
    rows, senders = np.nonzero(stages != REST)
    receivers = stages[rows, senders]
    if receivers.size and (receivers.min() < 0 or receivers.max() >= places):
        return [f"a host beyond 0..{places - 1} is sent to"]
    times = np.bincount(senders * places + receivers, minlength=places * places)
    expected = 1 - np.eye(places, dtype=np.int64)
    for sender, receiver in np.argwhere(times.reshape(places, places) != expected)[:10]:
        found.append(
            f"host {sender} sends to host {receiver} {times[sender * places + receiver]} times"
        )
    received = np.bincount(rows * places + receivers, minlength=len(stages) * places)
    for place in np.flatnonzero(received > 1)[:10]:
        stage, receiver = divmod(int(place), places)
        found.append(f"host {receiver} receives {received[place]} messages in stage {stage}")
    peaks = stage_peaks(routes, hosts, offsets, stages, by_sender)
    for stage in np.flatnonzero(peaks > 1)[:10]:
        found.append(f"a link carries {peaks[stage]} messages in stage {stage}")
    return found
