"""How the benchmarks' pictures look."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tasuki.output import fail

if TYPE_CHECKING:  # matplotlib takes half a second to load: only where something is drawn
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

KINDS = (".png", ".svg", ".pdf")
NATIVE_COLOUR = "black"
PANEL_INCHES = (4.6, 3.4)
LEGEND_INCHES = 1.8
MARKERS = "osD^v<>pPX*h"


def new_figure(lines: int, columns: int) -> tuple[Figure, list[list[Axes]]]:
    """A grid of panels of equal vertical scale with room for a legend on its right."""
    from matplotlib.figure import Figure

    width, height = PANEL_INCHES
    size = (width * columns + LEGEND_INCHES, height * lines)
    figure = Figure(figsize=size, layout="constrained")
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


def check_picture(file: Path) -> None:
    """Ends the command if no picture can be drawn of the kind that the file's name tells."""
    if file.suffix.lower() not in KINDS:
        expected = ", ".join(KINDS)
        fail(f"{file} tells no kind of picture that can be drawn: expected a name in {expected}")


def save_figure(figure: Figure, file: Path) -> None:
    """Writes the picture in the format that the name of the file ends with."""
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, dpi=150)
