"""Pictures: a fabric with its loads, and the two figures of a study."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tasuki.fabric.levels import switch_levels
from tasuki.fabric.study import Outcome
from tasuki.fabric.topology import Fabric
from tasuki.picture import new_figure, save_figure

_WIDTH, _HEIGHT = 9.0, 5.0
"""Inches."""
_NAMES_UP_TO = 40
"""More vertices than this on a level are drawn without names."""


def draw_fabric(fabric: Fabric, path: Path, loads: np.ndarray | None = None) -> None:
    """The tree, roots on top. With `loads[link]` the cables are coloured by the busier of their
    two directions."""
    hosts = len(fabric.hosts)
    level = np.concatenate([np.zeros(hosts, dtype=int), switch_levels(fabric)])
    x = np.zeros(level.size)
    for height in range(level.max() + 1):
        here = np.flatnonzero(level == height)
        x[here] = (np.arange(here.size) + 0.5) / here.size
    figure = new_figure(_WIDTH, 2.0 + 1.3 * level.max())
    from matplotlib.collections import LineCollection

    axes = figure.subplots()
    ends = fabric.cables[:, [0, 2]]
    lines = np.stack([np.stack([x[ends[:, i]], level[ends[:, i]]], axis=1) for i in (0, 1)], 1)
    width = 0.8 if len(lines) < 3000 else 0.15
    between = fabric.is_switch_link[::2]
    axes.add_collection(LineCollection(list(lines[~between]), linewidths=width, color="0.8"))
    collection = LineCollection(list(lines[between]), linewidths=width)
    if loads is None:
        collection.set_color("0.6")
    else:
        collection.set_array(loads.reshape(-1, 2).max(axis=1)[between])
        collection.set_cmap("viridis_r")
        figure.colorbar(collection, ax=axes, label="messages in the whole all-to-all")
    axes.add_collection(collection)
    for height in range(level.max() + 1):
        here = np.flatnonzero(level == height)
        axes.plot(x[here], level[here], "s" if height else "o", color="black", markersize=3)
        if here.size <= _NAMES_UP_TO:
            for vertex in here:
                axes.annotate(
                    fabric.vertex_name(vertex),
                    (x[vertex], height),
                    xytext=(0, 6 if height else -6),
                    textcoords="offset points",
                    ha="center",
                    va="bottom" if height else "top",
                    fontsize=7,
                    rotation=0 if height else 90,
                )
    axes.set_title(f"{fabric.name}: {hosts} hosts, {len(fabric.switches)} switches")
    axes.margins(0.03, 0.2)
    axes.axis("off")
    save_figure(figure, path)


def draw_sorted(outcomes: dict[str, Outcome], title: str, path: Path) -> None:
    """Like the paper's Figure 9: all jobs of a study in ascending order of bandwidth."""
    figure = new_figure(_WIDTH, _HEIGHT)
    axes = figure.subplots()
    for method, outcome in outcomes.items():
        axes.plot(np.sort(outcome.bandwidth), label=method)
    axes.set_xlabel("job, in ascending order")
    _finish(figure, axes, title, path)


def draw_by_size(outcomes: dict[str, Outcome], sizes: list[int], title: str, path: Path) -> None:
    """Like the paper's Figure 10: bandwidth over the number of contiguous hosts."""
    figure = new_figure(_WIDTH, _HEIGHT)
    axes = figure.subplots()
    for method, outcome in outcomes.items():
        axes.plot(sizes, outcome.bandwidth, marker=".", label=method)
    axes.set_xlabel("hosts")
    _finish(figure, axes, title, path)


def _finish(figure, axes, title: str, path: Path) -> None:
    axes.set_ylabel("all-to-all bandwidth per host [MB/s]")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend()
    axes.set_title(title)
    save_figure(figure, path)
