"""Roots by simulated annealing, for the shift schedule with the hosts in the fabric's order."""

from __future__ import annotations

import numpy as np

from tasuki.fabric.choices.balanced import balanced
from tasuki.fabric.choices.choice import Choice
from tasuki.fabric.choices.paper import paper
from tasuki.fabric.two_level import TwoLevelTree

MOVES = 8000


def annealed(tree: TwoLevelTree, hosts: np.ndarray, moves: int = MOVES, seed: int = 1) -> Choice:
    return annealed_jobs(tree, hosts[None, :], moves, seed)[0]


def annealed_jobs(
    tree: TwoLevelTree, jobs: np.ndarray, moves: int = MOVES, seed: int = 1
) -> list[Choice]:
    """A choice for each row of `jobs[job, i]`, all annealed together. Never worse (in the
    time of the shift) than root = host mod K, the paper's or the balanced roots in this order."""
    annealing = _Annealing(tree, np.sort(jobs, axis=1), np.random.default_rng(seed))
    annealing.run(moves)
    return [Choice(*row) for row in zip(annealing.hosts, annealing.best_roots, strict=True)]


class _Annealing:
    """Minimises the number of pairs of messages that meet on an uplink, over the whole shift.

    A move gives one host another root; the host of its leaf that had it, if any, gets the old one,
    so roots inside a leaf stay distinct and no downlink carries two messages in a stage.
    """

    def __init__(self, tree: TwoLevelTree, hosts: np.ndarray, random: np.random.Generator):
        self.hosts, self.random, self.root_count = hosts, random, tree.roots
        leaves = tree.leaf_of_host[hosts]
        self.leaf = np.stack([np.unique(row, return_inverse=True)[1] for row in leaves])
        self.leaf_count = int(self.leaf.max()) + 1
        self.stage_count = hosts.shape[1] - 1
        count = hosts.shape[1]
        distance = np.arange(1, count)
        # [job, host, stage] -> leaf that the host receives from; its own leaf counts for nothing.
        sender = (np.arange(count)[:, None] - distance) % count
        self.from_leaf = self.leaf[:, sender]
        self.outside = (self.from_leaf != self.leaf[:, :, None]).astype(np.int32)
        starts = [self._start(tree, method) for method in (_ftree, _paper, _balanced)]
        costs = np.stack([self._stage_cost(roots) for roots in starts])
        self.best_roots = np.stack(starts)[costs.argmin(axis=0), np.arange(len(hosts))]
        self.best_cost = costs.min(axis=0)

    def _start(self, tree: TwoLevelTree, method) -> np.ndarray:
        return np.stack([method(tree, row) for row in self.hosts])

    def _loads(self, roots: np.ndarray) -> np.ndarray:
        """[job, stage, leaf, root] -> messages on the uplink."""
        jobs, count = roots.shape
        loads = np.zeros((jobs, self.stage_count, self.leaf_count, self.root_count), np.int32)
        row = np.arange(jobs)[:, None]
        stage = np.arange(self.stage_count)[None, :]
        for host in range(count):
            loads[row, stage, self.from_leaf[:, host], roots[:, host, None]] += self.outside[
                :, host
            ]
        return loads

    def _stage_cost(self, roots: np.ndarray) -> np.ndarray:
        """[job] -> the time of the shift in messages, where links are as fast as hosts."""
        return np.maximum(1, self._loads(roots).max(axis=(2, 3), initial=0)).sum(axis=1)

    def run(self, moves: int) -> None:
        if self.stage_count < 1:
            return
        alive = np.flatnonzero(self.best_cost > self.stage_count)
        roots = self.best_roots[alive].copy()
        loads = self._loads(self.best_roots)[alive]
        pairs = (loads * (loads - 1) // 2).sum(axis=(1, 2, 3))
        fewest, fewest_roots = pairs.copy(), roots.copy()
        for move in range(moves):
            if alive.size == 0:
                return
            temperature = max(1e-3, 1.5 * (1 - move / moves) ** 2)
            self._move(alive, roots, loads, pairs, temperature)
            better = pairs < fewest
            fewest[better], fewest_roots[better] = pairs[better], roots[better]
            if (fewest == 0).any() or move == moves - 1:
                ended = (fewest == 0) | (move == moves - 1)
                self._keep(alive[ended], fewest_roots[ended])
                alive, roots, loads, pairs, fewest, fewest_roots = (
                    a[~ended] for a in (alive, roots, loads, pairs, fewest, fewest_roots)
                )

    def _keep(self, jobs: np.ndarray, roots: np.ndarray) -> None:
        all_roots = self.best_roots.copy()
        all_roots[jobs] = roots
        better = jobs[self._stage_cost(all_roots)[jobs] < self.best_cost[jobs]]
        self.best_roots[better] = all_roots[better]

    def _move(self, alive, roots, loads, pairs, temperature) -> None:
        jobs, count = roots.shape
        row = np.arange(jobs)
        host = self.random.integers(count, size=jobs)
        old = roots[row, host]
        new = (old + self.random.integers(1, max(2, self.root_count), size=jobs)) % self.root_count
        leaf = self.leaf[alive]
        twin = (leaf == leaf[row, host][:, None]) & (roots == new[:, None])
        has_twin = twin.any(axis=1)
        other = np.where(has_twin, twin.argmax(axis=1), host)
        change = self._shift(alive, loads, host, old, new, np.ones(jobs, np.int32))
        change += self._shift(alive, loads, other, new, old, has_twin.astype(np.int32))
        accept = self.random.random(jobs) < np.exp(-np.maximum(change, 0) / temperature)
        undo = (~accept).astype(np.int32)
        self._shift(alive, loads, other, old, new, undo * has_twin)
        self._shift(alive, loads, host, new, old, undo)
        pairs += np.where(accept, change, 0)
        roots[row[accept], other[accept]] = old[accept]
        roots[row[accept], host[accept]] = new[accept]

    def _shift(self, alive, loads, host, old, new, amount) -> np.ndarray:
        """Moves the messages to `host` from root `old` to `new` where `amount` is 1; returns by how
        much the number of pairs grew."""
        row = np.arange(len(alive))[:, None]
        stage = np.arange(self.stage_count)[None, :]
        leaf = self.from_leaf[alive, host]
        moved = self.outside[alive, host] * amount[:, None]
        loads[row, stage, leaf, old[:, None]] -= moved
        less = loads[row, stage, leaf, old[:, None]]
        more = loads[row, stage, leaf, new[:, None]]
        loads[row, stage, leaf, new[:, None]] += moved
        return ((more - less) * moved).sum(axis=1)


def _ftree(tree: TwoLevelTree, hosts: np.ndarray) -> np.ndarray:
    return hosts % tree.roots


def _paper(tree: TwoLevelTree, hosts: np.ndarray) -> np.ndarray:
    return paper(tree, hosts).roots


def _balanced(tree: TwoLevelTree, hosts: np.ndarray) -> np.ndarray:
    choice = balanced(tree, hosts)
    return choice.roots[np.argsort(choice.hosts)]
