"""How the benchmarks' pictures look."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from tasuki.picture import new_figure
from tasuki.sizes import duration_text, size_text

if TYPE_CHECKING:  # matplotlib takes half a second to load: only where something is drawn
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NATIVE_COLOUR = "black"
PANEL_INCHES = (4.6, 3.4)
LEGEND_INCHES = 1.8
MARKERS = "osD^v<>pPX*h"


def grid_of_panels(
    lines: int, columns: int, share_scale: Literal["all", "row"] = "all"
) -> tuple[Figure, list[list[Axes]]]:
    """A grid of panels with room for a legend on its right; all, or those of a row, have the same
    vertical scale."""
    width, height = PANEL_INCHES
    figure = new_figure(width * columns + LEGEND_INCHES, height * lines)
    panels = figure.subplots(lines, columns, squeeze=False, sharey=share_scale)
    return figure, [list(line) for line in panels]


def scale_for_times(panel: Axes, title: str) -> None:
    """Median times over sizes, both on logarithmic scales."""
    _scale_logarithmically(panel, title)
    panel.yaxis.set_major_formatter(lambda time, _: duration_text(time))


def scale_for_rates(panel: Axes, title: str) -> None:
    """Numbers, such as bytes a second, over sizes, both on logarithmic scales."""
    _scale_logarithmically(panel, title)
    panel.yaxis.set_major_formatter(lambda rate, _: f"{rate:g}")


def _scale_logarithmically(panel: Axes, title: str) -> None:
    panel.set_xscale("log", base=2)
    panel.set_yscale("log")
    panel.xaxis.set_major_formatter(lambda size, _: size_text(round(size)))
    panel.yaxis.set_minor_formatter("")
    panel.set_title(title)
    panel.grid(alpha=0.3)


def finish_panels(figure: Figure, panels: list[list[Axes]], sizes: str, times: str) -> None:
    """Names the axes of a grid of panels, and the lines, which look alike in all panels."""
    for panel in panels[-1]:
        panel.set_xlabel(sizes)
    for line in panels:
        line[0].set_ylabel(times)
    lines = {}
    for panel in (panel for line in panels for panel in line):
        handles, labels = panel.get_legend_handles_labels()
        lines |= dict(zip(labels, handles, strict=True))
    figure.legend(lines.values(), lines.keys(), loc="outside right upper", frameon=False)


def algorithm_styles(algorithms: Sequence[str]) -> dict[str, dict[str, Any]]:
    """A line for each algorithm; the host's own is bold and above the others."""
    import matplotlib

    colours = matplotlib.colormaps["tab10"].colors
    styles: dict[str, dict[str, Any]] = {}
    for algorithm in algorithms:
        number = len(styles)
        if algorithm == "native":
            styles[algorithm] = {"color": NATIVE_COLOUR, "linewidth": 3.5, "zorder": 3}
        else:
            styles[algorithm] = {
                "color": colours[number % len(colours)],
                "marker": MARKERS[number % len(MARKERS)],
                "linestyle": "-" if number < len(colours) else "--",
                "markersize": 4,
                "linewidth": 1.2,
            }
    return styles
