"""The table and the picture of `tasuki bench selection`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.console import JustifyMethod
from rich.table import Table

from tasuki.bench.support import times_report
from tasuki.bench.support.picture import NATIVE_COLOUR
from tasuki.bench.support.report import load_text
from tasuki.output import console
from tasuki.sizes import duration_text, size_text

NATIVE = "native"
DYNAMIC, WITHOUT_MODEL, WARM = "dynamic", "without model", "warm"
MIDPOINT = "midpoint"
LEARNS = (DYNAMIC, MIDPOINT, WITHOUT_MODEL, WARM)


def print_results(results: dict[str, Any]) -> None:
    learning = [way for way in LEARNS if any(row["way"] == way for row in results["rows"])]
    table = Table(title="Learning against fixed algorithms, a call", caption=load_text())
    for name in ("MPI", "ranks", "bytes", "calls", NATIVE, "best fixed", *learning):
        justify: JustifyMethod = "left" if name in ("MPI", "best fixed") else "right"
        table.add_column(name, justify=justify, overflow="fold")
    cells: dict[tuple[str, int, int], dict[str, dict[str, Any]]] = {}
    for row in results["rows"]:
        cells.setdefault((row["mpi"], row["ranks"], row["bytes"]), {})[row["way"]] = row
    for (mpi, ranks, size), ways in cells.items():
        native = ways[NATIVE]
        table.add_row(
            mpi,
            str(ranks),
            size_text(size),
            str(native["calls"]),
            duration_text(native["median_seconds"]),
            f"{duration_text(native['best_median_seconds'])} {native['best']}",
            *(
                f"{duration_text(ways[way]['median_seconds'])} x{ways[way]['ratio_to_best']:.2f}"
                for way in learning
            ),
        )
    console.print(table)
    for name, value in results["summary"].items():
        console.print(f"{name.replace('_', ' ')}: {value:.3f}", highlight=False)


def draw(results: dict[str, Any], file: Path) -> None:
    """As Figures 2 to 5 of Nanri et al. 2009: a panel for each host, a line of panels for each
    number of ranks."""
    versions = results["machine"]["mpi_versions"]
    panels = [
        [
            times_report.Panel(
                f"{mpi} {versions[mpi]}, {ranks} ranks",
                [
                    row | {"algorithm": row["way"]}
                    for row in results["rows"]
                    if (row["mpi"], row["ranks"]) == (mpi, ranks)
                ],
            )
            for mpi in results["mpi"]
        ]
        for ranks in results["ranks"]
    ]
    times_report.draw(
        panels, "bytes from each rank to each", "MPI_Alltoall, learning included", file, styles_of
    )


def styles_of(ways: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Fixed ways are thin, by memory dashed; the host's own and what learns stand out, on top."""
    import matplotlib

    thin = matplotlib.colormaps["tab20"].colors
    bold = {
        NATIVE: {"color": NATIVE_COLOUR, "marker": ""},
        DYNAMIC: {"color": "tab:red", "marker": "o"},
        MIDPOINT: {"color": "tab:green", "marker": "D"},
        WITHOUT_MODEL: {"color": "tab:orange", "marker": "^"},
        WARM: {"color": "tab:blue", "marker": "s"},
    }
    fixed = [way for way in ways if way not in bold]
    styles: dict[str, dict[str, Any]] = {
        way: {
            "color": thin[number % len(thin)],
            "linestyle": "--" if "carrier=memory" in way else "-",
            "linewidth": 0.7,
        }
        for number, way in enumerate(fixed)
    }
    for way, style in bold.items():
        if way in ways:
            styles[way] = {**style, "linewidth": 2.2, "markersize": 5, "zorder": 3}
    return styles
