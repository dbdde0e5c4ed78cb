"""How every picture begins and ends: drawn without a screen, in the kind that its name tells."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tasuki.output import fail

if TYPE_CHECKING:  # matplotlib takes half a second to load: only where something is drawn
    from matplotlib.figure import Figure

KINDS = (".png", ".svg", ".pdf")
DOTS_PER_INCH = 150


def check_picture(file: Path | None) -> Path | None:
    """Ends the command if no picture can be drawn of the kind that the file's name tells.

    To be the callback of an option, so that the command ends before it has measured anything.
    """
    if file is not None and file.suffix.lower() not in KINDS:
        expected = ", ".join(KINDS)
        fail(f"{file} tells no kind of picture that can be drawn: expected a name in {expected}")
    return file


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of so many inches. It needs no screen, and nobody has to close it."""
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def save_figure(figure: Figure, file: Path) -> None:
    """Writes the picture in the format that the name of the file ends with."""
    file.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(file, dpi=DOTS_PER_INCH)
