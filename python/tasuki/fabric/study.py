"""Many jobs, all methods: what Figures 9 and 10 of the paper show, and what we add to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from tasuki.fabric import bandwidth
from tasuki.fabric.choices.annealed import annealed_jobs
from tasuki.fabric.choices.balanced import balanced
from tasuki.fabric.choices.choice import Choice, offsets_of
from tasuki.fabric.choices.paper import paper
from tasuki.fabric.choices.stock import stock
from tasuki.fabric.contention_free.schedule import contention_free
from tasuki.fabric.error import FabricError
from tasuki.fabric.link_loads import flow_links, shift_stages, stage_peaks
from tasuki.fabric.paths import Routes
from tasuki.fabric.two_level import TwoLevelTree

SHIFT_METHODS = {"stock": stock, "paper": paper, "balanced": balanced}
METHODS = (*SHIFT_METHODS, "annealed", "contention-free", "contention-free-stock")
CROSSBAR = "crossbar"
"""The limit: a network without any shared link. Only jitter keeps it from the peak."""
_JOBS_AT_ONCE = 256


@dataclass(frozen=True)
class Model:
    """How load becomes bandwidth; see bandwidth.py."""

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


@dataclass(frozen=True)
class Plan:
    """One job under one method."""

    choice: Choice
    offsets: np.ndarray
    stages: np.ndarray


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
    tree: TwoLevelTree,
    jobs: list[np.ndarray],
    methods: Iterable[str],
    model: Model,
    on_progress: Callable[[int], None] = lambda jobs_done: None,
) -> dict[str, Outcome]:
    """Every job under every method; with jitter also the crossbar. `on_progress` is told how many
    pairs of job and method are done since it was told last."""
    outcomes = {}
    for method in methods:
        if method not in METHODS:
            raise FabricError(f"method {method!r}; expected one of {', '.join(METHODS)}")
        outcomes[method] = _study_method(tree, jobs, method, model, on_progress)
    if model.jitter > 0:
        outcomes[CROSSBAR] = _study_crossbar(jobs, model)
    return outcomes


def _study_method(tree, jobs, method, model, on_progress) -> Outcome:
    rates = np.zeros(len(jobs))
    loads = np.zeros(len(jobs), dtype=np.int64)
    counts = np.zeros(len(jobs), dtype=np.int64)
    for batch in _batches(jobs):
        plans = plan_jobs(tree, [jobs[i] for i in batch], method)
        by_length: dict[int, list[int]] = {}
        for index, plan in enumerate(plans):
            by_length.setdefault(len(plan.stages), []).append(index)
        for length, indices in by_length.items():
            where = [batch[i] for i in indices]
            rates[where], peaks = model.apply(tree.routes, [plans[i] for i in indices], batch[0])
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


def plan_jobs(tree: TwoLevelTree, jobs: list[np.ndarray], method: str) -> list[Plan]:
    """Choice, LIDs and stages of each job; the jobs have equal sizes."""
    if method == "annealed":
        choices = annealed_jobs(tree, np.stack(jobs))
    elif method == "contention-free":
        choices = [balanced(tree, job) for job in jobs]
    elif method == "contention-free-stock":
        choices = [stock(tree, job) for job in jobs]
    else:
        choices = [SHIFT_METHODS[method](tree, job) for job in jobs]
    plans = []
    for choice in choices:
        offsets = offsets_of(tree, choice)
        if method.startswith("contention-free"):
            stages = contention_free(tree.routes, choice.hosts, offsets).stages
        else:
            stages = shift_stages(choice.hosts.size)
        plans.append(Plan(choice, offsets, stages))
    return plans
