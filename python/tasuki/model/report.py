"""The tables and pictures of parameters and predictions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.table import Table

from tasuki.picture import new_figure, save_figure
from tasuki.sizes import duration_text, size_text


def crossovers(sizes: list[int], lines: dict[str, list[float]]) -> list[dict[str, Any]]:
    """The best algorithm from each size on at which it changes."""
    changes: list[dict[str, Any]] = []
    for index, size in enumerate(sizes):
        best = min(lines, key=lambda name: lines[name][index])
        if not changes or changes[-1]["algorithm"] != best:
            changes.append({"bytes": size, "algorithm": best})
    return changes


def prediction_table(sizes: list[int], lines: dict[str, list[float]]) -> Table:
    table = Table()
    for heading in ("bytes", "best", "time", "next", "longer\nby", "slowest", "longer\nby"):
        table.add_column(heading, overflow="fold")
    for index, size in enumerate(sizes):
        order = sorted(lines, key=lambda name: lines[name][index])
        best, following, slowest = order[0], order[min(1, len(order) - 1)], order[-1]
        seconds = lines[best][index]
        table.add_row(
            size_text(size),
            best,
            duration_text(seconds),
            following,
            _longer(lines[following][index], seconds),
            slowest,
            _longer(lines[slowest][index], seconds),
        )
    return table


def _longer(seconds: float, best: float) -> str:
    return f"{100 * (seconds / best - 1):.0f} %" if best > 0 else "-"


def parameter_table(parameters: dict[str, Any]) -> Table:
    """A column for each function, a line for each size at which one of them is known."""
    functions = _functions(parameters)
    # Without padding at its edges its headings fit on a screen of 80 columns.
    table = Table(title=parameters["fingerprint"] or None, pad_edge=False)
    table.add_column("bytes", justify="right")
    for name in functions:
        heading = name.removesuffix(" overhead").replace(" ", "\n")
        table.add_column(heading, justify="right", overflow="fold")
    known = {name: dict(points) for name, points in functions.items()}
    for size in sorted({size for points in known.values() for size in points}):
        cells = (points.get(size) for points in known.values())
        texts = ("" if seconds is None else duration_text(seconds) for seconds in cells)
        table.add_row(size_text(size), *texts)
    latencies = (
        f"{where.replace('_', '-')} latency {duration_text(parameters[where]['latency'])}"
        for where in ("on_node", "off_node")
    )
    thresholds = (
        f"{name.replace('_', ' ')} {size_text(size)}"
        for name, size in parameters["memory"].items()
        if size > 0
    )
    table.caption = "; ".join(["send and receive: overheads", *latencies, *thresholds])
    return table


def draw_parameters(parameters: dict[str, Any], path: Path) -> None:
    """All functions over the sizes; an empty message stands where one of half a byte would."""
    lines = {
        name: ([max(0.5, size) for size, _ in points], [seconds for _, seconds in points])
        for name, points in _functions(parameters).items()
    }
    _draw(lines, parameters["fingerprint"], path)


def draw_predictions(
    sizes: list[int],
    lines: dict[str, list[float]],
    best: list[dict[str, Any]],
    title: str,
    path: Path,
) -> None:
    """A line for each; where the best changes (crossovers()), a mark with the name of the next."""
    figure = new_figure(11, 6)
    axis = figure.subplots()
    names = {row["algorithm"] for row in best}
    for name, seconds in lines.items():
        axis.plot(
            sizes,
            seconds,
            linestyle="--" if "carrier=memory" in name else "-",
            linewidth=2 if name in names else 0.8,
            label=name,
        )
    for row in best:
        seconds = lines[row["algorithm"]][sizes.index(row["bytes"])]
        axis.axvline(row["bytes"], color="0.7", linestyle=":", linewidth=1)
        axis.plot([row["bytes"]], [seconds], marker="o", color="black", linestyle="")
        axis.annotate(
            f"{row['algorithm']}, from {size_text(row['bytes'])}",
            (row["bytes"], seconds),
            textcoords="offset points",
            xytext=(4, -10),
            fontsize="x-small",
        )
    _finish(axis, title)
    figure.legend(loc="outside right upper", fontsize="xx-small")
    save_figure(figure, path)


def _functions(parameters: dict[str, Any]) -> dict[str, list[tuple[int, float]]]:
    named = {}
    for where in ("on_node", "off_node"):
        for what in ("send_overhead", "receive_overhead", "gap"):
            named[f"{where.replace('_', '-')} {what.replace('_', ' ')}"] = parameters[where][what]
    return {**named, "copy": parameters["copy"]}


def _draw(lines: dict[str, tuple[list[Any], list[float]]], title: str, path: Path) -> None:
    figure = new_figure(8, 5)
    axis = figure.subplots()
    for name, (sizes, seconds) in lines.items():
        axis.plot(sizes, seconds, marker=".", label=name)
    _finish(axis, title)
    axis.legend()
    save_figure(figure, path)


def _finish(axis: Any, title: str) -> None:
    axis.set(xlabel="bytes", title=title, yscale="log")
    axis.set_xscale("log", base=2)
    axis.xaxis.set_major_formatter(lambda size, _: size_text(round(size)))
    axis.yaxis.set_major_formatter(lambda seconds, _: duration_text(seconds))
    axis.title.set_fontsize("small")
    axis.grid(alpha=0.3)
