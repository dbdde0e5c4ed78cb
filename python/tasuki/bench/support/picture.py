"""How the benchmarks' pictures look."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tasuki.picture import new_figure

if TYPE_CHECKING:  # matplotlib takes half a second to load: only where something is drawn
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NATIVE_COLOUR = "black"
PANEL_INCHES = (4.6, 3.4)
LEGEND_INCHES = 1.8
MARKERS = "osD^v<>pPX*h"


def grid_of_panels(lines: int, columns: int) -> tuple[Figure, list[list[Axes]]]:
    """A grid of panels of equal vertical scale with room for a legend on its right."""
    width, height = PANEL_INCHES
    figure = new_figure(width * columns + LEGEND_INCHES, height * lines)
    panels = figure.subplots(lines, columns, squeeze=False, sharey=True)
    return figure, [list(line) for line in panels]


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
