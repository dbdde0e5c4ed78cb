"""The picture of the demonstration: the flow that was computed, and the times of the runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tasuki.picture import new_figure, save_figure

PANEL_INCHES = 4.4
CASE_INCHES = 3.4
ALLTOALL_COLOUR, REST_COLOUR = "#c1440e", "#9db4c0"


def draw(
    results: dict[str, Any], field_file: Path, field_title: str, files: Sequence[Path]
) -> None:
    """Writes the same picture to each of `files`."""
    mpis, cases = results["mpi"], results["summary"]["cases"]
    height = max(PANEL_INCHES, CASE_INCHES * len(cases))
    figure = new_figure(PANEL_INCHES * (1 + len(mpis)), height)
    grid = figure.add_gridspec(len(cases), 1 + len(mpis))
    draw_field(figure.add_subplot(grid[:, 0]), field_file, field_title)
    for line, case in enumerate(cases):
        for column, mpi in enumerate(mpis, start=1):
            panel = figure.add_subplot(grid[line, column])
            which = (mpi, case["ranks"])
            draw_times(
                panel, [row for row in results["rows"] if (row["mpi"], row["ranks"]) == which]
            )
            version = results["machine"]["mpi_versions"][mpi]
            panel.set_title(f"{mpi} {version}, {case['ranks']} ranks")
            panel.set_xlabel(f"seconds of {case['steps'][mpi]} steps:\nmedian, fastest and slowest")
    handles, labels = panel.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower right", ncols=2, frameon=False)
    sizes = " and ".join(str(case["bytes_per_pair"]) for case in cases)
    same = "bit-identical" if results["summary"]["answers_are_identical"] else "NOT identical"
    figure.suptitle(
        f"Decaying turbulence on {results['machine']['cores']} cores, "
        f"{sizes} bytes from each to each: answers {same}"
    )
    for file in files:
        save_figure(figure, file)


def draw_field(panel: Any, file: Path, title: str) -> None:
    values = np.fromfile(file)
    side = round(len(values) ** 0.5)
    limit = float(np.abs(values).max())
    field = values.reshape(side, side)
    panel.imshow(field, cmap="RdBu_r", vmin=-limit, vmax=limit, interpolation="bicubic")
    panel.set_xticks([])
    panel.set_yticks([])
    panel.set_title(title)


def draw_times(panel: Any, rows: Sequence[dict[str, Any]]) -> None:
    """A bar for each way: the calls of MPI_Alltoall and all else, from fastest to slowest run."""
    names = [f"{row['algorithm']}\nx{row['ratio_to_native']:.2f}" for row in rows]
    times = np.array([row["median_seconds"] for row in rows])
    alltoall = np.array([row["alltoall_seconds"] for row in rows])
    ends = np.array([[row["fastest_seconds"], row["slowest_seconds"]] for row in rows])
    reach = np.abs(ends - times[:, None]).T
    panel.barh(names, alltoall, color=ALLTOALL_COLOUR, label="in MPI_Alltoall")
    rest = np.maximum(times - alltoall, 0.0)
    panel.barh(names, rest, left=alltoall, color=REST_COLOUR, label="elsewhere", xerr=reach)
    panel.invert_yaxis()
