"""How every picture begins and ends: drawn without a screen, in the kind that its name tells."""

from __future__ import annotations

import atexit
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from tasuki.output import check_target, fail, writing
from tasuki.temporary import temporary_folder

if TYPE_CHECKING:  # matplotlib takes half a second to load: only where something is drawn
    from matplotlib.figure import Figure

KINDS = (".png", ".svg", ".pdf")
DOTS_PER_INCH = 150
FOLDER_OF_MATPLOTLIB = "MPLCONFIGDIR"


def check_picture(file: Path | None) -> Path | None:
    """Ends the command if no picture can be drawn of the kind that the file's name tells, or if the
    file cannot be written.

    To be the callback of an option, so that the command ends before it has measured anything.
    """
    if file is not None and file.suffix.lower() not in KINDS:
        expected = ", ".join(KINDS)
        fail(f"{file} tells no kind of picture that can be drawn: expected a name in {expected}")
    check_target("--picture", file)
    return file


def new_figure(width: float, height: float) -> Figure:
    """An empty figure of so many inches. It needs no screen, and nobody has to close it.

    To be asked for before anything else of matplotlib.
    """
    _give_matplotlib_a_folder()
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def _give_matplotlib_a_folder() -> None:
    """Where it keeps what it knows of fonts. Its own choice is a folder of the user's settings, and
    where that cannot be written it warns with every picture."""
    if FOLDER_OF_MATPLOTLIB in os.environ or "matplotlib" in sys.modules:
        return
    folder = _folder_in_cache()
    if folder is None:
        temporary = temporary_folder()
        atexit.register(temporary.cleanup)
        folder = Path(temporary.name)
    os.environ[FOLDER_OF_MATPLOTLIB] = str(folder)


def _folder_in_cache() -> Path | None:
    """None where there is no cache directory that can be written."""
    try:
        from tasuki._core import cache_directory
    except ImportError:  # pictures of fabrics and the demo's need no schedules
        return None
    if not (directory := cache_directory()):
        return None
    folder = Path(directory) / "matplotlib"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK | os.X_OK) else None


def save_figure(figure: Figure, file: Path) -> None:
    """Writes the picture in the format that the name of the file ends with; ends the command with
    the reason if that cannot be."""
    with writing(file):
        figure.savefig(file, dpi=DOTS_PER_INCH)
