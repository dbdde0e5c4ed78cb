"""The bandwidth of an all-to-all, by the two models that match the measurements of the paper.

Both give the fraction of a host's peak. `link_ratio` is the rate of a link between switches over
the peak rate of a host: a link with m messages lets each have min(1, link_ratio / m).

- Synchronised: nobody begins a stage before all have finished the one before it.
- Rendezvous: a message flows once sender and receiver are both in its stage, at the fair share of
  the worst link on its way; a host goes on when its own two messages of the stage are through.
"""

from __future__ import annotations

import numpy as np

FITTED_LINK_RATIO = 1.10
"""For the synchronised model: best of a grid, fitted to the paper's own figures 9 and 10."""
PAPER_PEAK = 1700.0
"""MB/s: the peak of a host in the paper."""


def synchronised(peaks: np.ndarray, hosts: int, link_ratio: float) -> np.ndarray:
    """Fraction of the peak, from the peaks of link_loads.stage_peaks() over the last axis."""
    stage_times = np.maximum(1.0, peaks / link_ratio)
    return (hosts - 1) / stage_times.sum(axis=-1)


def rendezvous(
    stages: np.ndarray,
    links: np.ndarray,
    link_ratio: float,
    jitter: float = 0.0,
    seed: int | list[int] = 1,
) -> np.ndarray:
    """[job] -> fraction of the peak. `stages[job, stage, i]` and `links[job, stage, i, hop]` as in
    link_loads. With `jitter` every message is longer by a random part, exponentially distributed
    with this mean (0.05: 5 %), which lets hosts drift apart; what is longer counts as carried."""
    simulation = _Rendezvous(stages, links, link_ratio, jitter, seed)
    carried = np.where(stages >= 0, simulation.sizes, 0.0).sum(axis=(1, 2)) / stages.shape[-1]
    return carried / simulation.run()


class _Rendezvous:
    """All jobs at once, each with a clock of its own: one turn of the loop is one event per job."""

    def __init__(self, stages, links, link_ratio, jitter, seed):
        self.jobs, self.stage_count, self.hosts = stages.shape
        self.link_ratio = link_ratio
        used, compact = np.unique(links, return_inverse=True)
        self.link_count = used.size
        compact = compact.reshape(links.shape)
        # Column 0 stands for "no link between switches", whatever its number of messages.
        if used.size == 0 or used[0] != -1:
            compact, self.link_count = compact + 1, used.size + 1
        self.links = compact
        self.stages = stages
        places = np.arange(self.hosts)
        self.sources = np.full(stages.shape, -1, dtype=np.int64)
        job, stage, host = np.nonzero(stages >= 0)
        self.sources[job, stage, stages[job, stage, host]] = places[host]
        self.sizes = np.ones(stages.shape)
        if jitter > 0:
            self.sizes += np.random.default_rng(seed).exponential(jitter, stages.shape)

    def run(self) -> np.ndarray:
        """[job] -> time, in messages at full rate."""
        finish = np.zeros(self.jobs)
        alive = np.arange(self.jobs)
        clock = np.zeros(self.jobs)
        stage = np.zeros((self.jobs, self.hosts), dtype=np.int64)
        left = np.zeros((self.jobs, self.hosts))
        send_done = np.ones((self.jobs, self.hosts), dtype=bool)
        receive_done = np.ones((self.jobs, self.hosts), dtype=bool)
        stage -= 1
        while True:
            self._advance(alive, stage, left, send_done, receive_done)
            ended = (stage >= self.stage_count).all(axis=1)
            if ended.any():
                finish[alive[ended]] = clock[ended]
                going = ~ended
                if not going.any():
                    return finish
                alive, clock, stage, left, send_done, receive_done = (
                    a[going] for a in (alive, clock, stage, left, send_done, receive_done)
                )
            self._flow(alive, clock, stage, left, send_done, receive_done)

    def _advance(self, alive, stage, left, send_done, receive_done) -> None:
        while True:
            ready = send_done & receive_done & (stage < self.stage_count)
            if not ready.any():
                return
            row, host = np.nonzero(ready)
            stage[row, host] += 1
            inside = stage[row, host] < self.stage_count
            row, host = row[inside], host[inside]
            at = (alive[row], stage[row, host], host)
            left[row, host] = self.sizes[at]
            send_done[row, host] = self.stages[at] < 0
            receive_done[row, host] = self.sources[at] < 0

    def _flow(self, alive, clock, stage, left, send_done, receive_done) -> None:
        """Lets messages flow until the next one ends, in each job."""
        row, host = np.nonzero(~send_done)
        partner = self.stages[alive[row], stage[row, host], host]
        met = stage[row, partner] == stage[row, host]
        row, host, partner = row[met], host[met], partner[met]
        links = self.links[alive[row], stage[row, host], host]
        numbered = links + self.link_count * row[:, None]
        loads = np.bincount(numbered.reshape(-1), minlength=len(alive) * self.link_count)
        worst = np.where(links > 0, loads[numbered], 0).max(axis=1)
        rate = np.minimum(1.0, self.link_ratio / np.maximum(worst, 1e-300))
        needs = left[row, host] / rate
        step = np.full(len(alive), np.inf)
        np.minimum.at(step, row, needs)
        clock += step
        left[row, host] -= rate * step[row]
        through = needs <= step[row] * (1 + 1e-9)
        row, host, partner = row[through], host[through], partner[through]
        send_done[row, host] = True
        receive_done[row, partner] = True
