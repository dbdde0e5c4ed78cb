"""Many jobs, all methods: what Figures 9 and 10 of the paper show, and what we add to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from tasuki.fabric.error import FabricError
from tasuki.fabric.model import Model
from tasuki.fabric.plan import Planner

CROSSBAR = "crossbar"
"""The limit: a network without any shared link. Only jitter keeps it from the peak."""
_JOBS_AT_ONCE = 256


@dataclass(frozen=True)
class Outcome:
    """All jobs of a study under one method."""

    bandwidth: np.ndarray
    """[job] MB/s"""
    worst_load: np.ndarray
    """[job] the most messages that met on a link; more than 1 is a hot spot"""
    stage_count: np.ndarray
    """[job]"""

    def summary(self) -> dict[str, float]:
        return {
            "mean": float(self.bandwidth.mean()),
            "min": float(self.bandwidth.min()),
            "max": float(self.bandwidth.max()),
            "count_over_1500": int((self.bandwidth >= 1500.0).sum()),
            "hot_spot_free_fraction": float((self.worst_load <= 1).mean()),
        }


def random_jobs(fabric_hosts: int, nodes: int, sets: int, seed: int) -> list[np.ndarray]:
    """`sets` different random sets of `nodes` out of the hosts, in the order of the fabric."""
    if not 2 <= nodes <= fabric_hosts:
        raise FabricError(f"{nodes} nodes out of {fabric_hosts}: expected 2 to {fabric_hosts}")
    random = np.random.default_rng(seed)
    return [np.sort(random.choice(fabric_hosts, nodes, replace=False)) for _ in range(sets)]


def contiguous_jobs(fabric_hosts: int, least: int = 3) -> list[np.ndarray]:
    """Hosts 0 .. n-1 for every n from `least` to all."""
    if fabric_hosts < least:
        raise FabricError(f"contiguous sets begin with {least} hosts; there are {fabric_hosts}")
    return [np.arange(count) for count in range(least, fabric_hosts + 1)]


def study(
    planner: Planner,
    jobs: list[np.ndarray],
    methods: Iterable[str],
    model: Model,
    on_progress: Callable[[int], None] = lambda jobs_done: None,
) -> dict[str, Outcome]:
    """Every job under every method; with jitter also the crossbar. `on_progress` is told how many
    pairs of job and method are done since it was told last."""
    outcomes = {}
    for method in methods:
        outcomes[method] = _study_method(planner, jobs, method, model, on_progress)
    if model.jitter > 0:
        outcomes[CROSSBAR] = _study_crossbar(jobs, model)
    return outcomes


def _study_method(planner, jobs, method, model, on_progress) -> Outcome:
    rates = np.zeros(len(jobs))
    loads = np.zeros(len(jobs), dtype=np.int64)
    counts = np.zeros(len(jobs), dtype=np.int64)
    for batch in _batches(jobs):
        plans = planner.plans([jobs[i] for i in batch], method)
        by_length: dict[int, list[int]] = {}
        for index, plan in enumerate(plans):
            by_length.setdefault(len(plan.stages), []).append(index)
        for length, indices in by_length.items():
            where = [batch[i] for i in indices]
            rates[where], peaks = model.apply(planner.routes, [plans[i] for i in indices], batch[0])
            loads[where] = peaks.max(axis=1, initial=0)
            counts[where] = length
        on_progress(len(batch))
    return Outcome(rates, loads, counts)


def _study_crossbar(jobs: list[np.ndarray], model: Model) -> Outcome:
    rates = np.zeros(len(jobs))
    for batch in _batches(jobs):
        rates[batch] = model.crossbar(len(batch), jobs[batch[0]].size, batch[0])
    none = np.zeros(len(jobs), dtype=np.int64)
    return Outcome(rates, none, np.array([job.size - 1 for job in jobs]))


def _batches(jobs: list[np.ndarray]) -> list[list[int]]:
    """Jobs of equal size, as many at a time as memory allows."""
    by_size: dict[int, list[int]] = {}
    for index, job in enumerate(jobs):
        by_size.setdefault(job.size, []).append(index)
    batches = []
    for size, indices in by_size.items():
        at_once = max(1, min(_JOBS_AT_ONCE, (1 << 20) // size**2))
        batches += [indices[i : i + at_once] for i in range(0, len(indices), at_once)]
    return batches
