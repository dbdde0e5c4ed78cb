"""How the loads of links become bandwidth: the models of bandwidth.py with their numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tasuki.fabric import bandwidth
from tasuki.fabric.error import FabricError
from tasuki.fabric.link_loads import flow_links, shift_stages, stage_peaks
from tasuki.fabric.paths import Routes
from tasuki.fabric.plan import Plan


@dataclass(frozen=True)
class Model:
    """By default the one that was fitted to the paper."""

    name: str = "synchronised"
    link_ratio: float = bandwidth.FITTED_LINK_RATIO
    peak: float = bandwidth.PAPER_PEAK
    """MB/s of a host"""
    jitter: float = 0.0
    seed: int = 1

    def __post_init__(self) -> None:
        if self.name not in ("synchronised", "rendezvous"):
            raise FabricError(f"model {self.name!r}; expected synchronised or rendezvous")
        if self.jitter > 0 and self.name != "rendezvous":
            raise FabricError("jitter needs the rendezvous model: --model rendezvous")
        if self.link_ratio <= 0 or self.peak <= 0 or self.jitter < 0:
            raise FabricError("link ratio and peak must be positive, jitter not negative")

    def apply(
        self, routes: Routes, plans: list[Plan], batch: int = 0
    ) -> tuple[np.ndarray, np.ndarray]:
        """(MB/s, [job, stage] most messages on a link) of plans of equal size and length. Different
        numbers `batch` give different jitter."""
        hosts = np.stack([plan.choice.hosts for plan in plans])
        offsets = np.stack([plan.offsets for plan in plans])
        stages = np.stack([plan.stages for plan in plans])
        peaks = stage_peaks(routes, hosts, offsets, stages)
        if self.name == "synchronised":
            fraction = bandwidth.synchronised(peaks, hosts.shape[1], self.link_ratio)
        else:
            links = flow_links(routes, hosts, offsets, stages)
            fraction = bandwidth.rendezvous(
                stages, links, self.link_ratio, self.jitter, [self.seed, batch]
            )
        return self.peak * fraction, peaks

    def crossbar(self, jobs: int, hosts: int, batch: int) -> np.ndarray:
        """[job] -> MB/s of shifts of that many hosts where no link is shared."""
        stages = np.broadcast_to(shift_stages(hosts), (jobs, hosts - 1, hosts))
        links = np.full((*stages.shape, 1), -1)
        seed = [self.seed, batch]
        return self.peak * bandwidth.rendezvous(stages, links, self.link_ratio, self.jitter, seed)
