"""What a method makes of a job: hosts in order, a LID offset for each, and the stages."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tasuki.fabric.choices.annealed import annealed_jobs
from tasuki.fabric.choices.balanced import balanced
from tasuki.fabric.choices.choice import Choice, offsets_of
from tasuki.fabric.choices.paper import paper
from tasuki.fabric.choices.stock import stock
from tasuki.fabric.contention_free.schedule import contention_free
from tasuki.fabric.error import FabricError
from tasuki.fabric.levels import switch_levels
from tasuki.fabric.link_loads import shift_stages
from tasuki.fabric.paths import Routes
from tasuki.fabric.two_level import two_level_tree

CHOICE_OF_METHOD = {
    "stock": stock,
    "paper": paper,
    "balanced": balanced,
    "contention-free": balanced,
    "contention-free-stock": stock,
}
METHODS = ("stock", "paper", "balanced", "annealed", "contention-free", "contention-free-stock")
METHODS_OF_TALL_TREES = ("stock", "contention-free-stock")


@dataclass(frozen=True)
class Plan:
    """One job under one method."""

    choice: Choice
    offsets: np.ndarray
    stages: np.ndarray
    least_stages: int
    """No schedule without hot spots has fewer, under these offsets; N - 1 for shifts."""


class Planner:
    """Plans jobs on one network. `by_sender`: the sender's offset counts, not the receiver's."""

    def __init__(self, routes: Routes, by_sender: bool = False):
        self.routes = routes
        # With one LID per host nobody has a choice, and the way depends on the receiver.
        self.by_sender = by_sender and routes.tables.lmc > 0
        levels = int(switch_levels(routes.fabric).max())
        self.tree = two_level_tree(routes) if levels <= 2 else None

    def check(self, method: str) -> None:
        """Raises FabricError where the method is unknown or not for this network."""
        if method not in METHODS:
            raise FabricError(f"method {method!r}; expected one of {', '.join(METHODS)}")
        if self.tree is None and method not in METHODS_OF_TALL_TREES:
            raise FabricError(
                f"{self.routes.fabric.name} has more than two levels, for which method {method!r} "
                f"is not defined; expected {' or '.join(METHODS_OF_TALL_TREES)}"
            )

    def plan(self, hosts: np.ndarray, method: str) -> Plan:
        return self.plans([hosts], method)[0]

    def plans(self, jobs: list[np.ndarray], method: str) -> list[Plan]:
        """Of jobs of equal size."""
        self.check(method)
        return [self._with_stages(choice, method) for choice in self._choices(jobs, method)]

    def _choices(self, jobs: list[np.ndarray], method: str) -> list[Choice]:
        if self.tree is None:
            return [Choice(hosts, np.full_like(hosts, -1)) for hosts in jobs]
        if method == "annealed":
            return annealed_jobs(self.tree, np.stack(jobs))
        return [CHOICE_OF_METHOD[method](self.tree, hosts) for hosts in jobs]

    def _with_stages(self, choice: Choice, method: str) -> Plan:
        if self.tree is None:
            offsets = np.zeros_like(choice.hosts)
        else:
            offsets = offsets_of(self.tree, choice)
        if not method.startswith("contention-free"):
            stages = shift_stages(choice.hosts.size)
            return Plan(choice, offsets, stages, len(stages))
        built = contention_free(self.routes, choice.hosts, offsets, self.by_sender)
        return Plan(choice, offsets, built.stages, built.least_stages)
