"""`tasuki arena`: selection in virtual time, on machines that exist only as numbers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from tasuki.native import core
from tasuki.output import FAILED, console, fail, is_screen, notes, write_json
from tasuki.picture import check_picture, new_figure, save_figure

GROUPINGS = ("near-best", "midpoint", "everything")
LIMITS = {
    "best_chosen_fraction": ("at least", 0.99),
    "regret": ("at most", 0.01),
    "drift_recovery_calls": ("at most", 500),
    "false_relearnings": ("at most", 0),
}
"""What selection must show on each machine."""


def register(app: typer.Typer) -> None:
    app.command("arena", epilog="Example: tasuki arena --worlds 8 --picture arena.png")(arena)


def arena(
    machine: Annotated[
        list[str] | None,
        typer.Option(help="Only this described machine; may be given several times."),
    ] = None,
    worlds: Annotated[
        int, typer.Option(min=1, help="Machines drawn for each description and size.")
    ] = 4,
    calls: Annotated[
        int, typer.Option(min=100, help="Calls of each key before it drifts.")
    ] = 20000,
    noise_calls: Annotated[
        int, typer.Option(min=0, help="Calls of pure noise, in which nothing may be learnt again.")
    ] = 1_000_000,
    seed: Annotated[int, typer.Option(min=0, help="Of everything that is drawn.")] = 1,
    grouping: Annotated[
        str,
        typer.Option(help="near-best, midpoint (as in the paper) or everything (no prediction)."),
    ] = "near-best",
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the result as JSON; - is the screen.")
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(
            callback=check_picture, help="Draw regret by size into this file (.png, .svg, .pdf)."
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Fail if a number is not what it must be.")
    ] = False,
) -> None:
    """Let selection play against an oracle: what it chooses, what it loses, how it recovers.

    For each described machine and size from 64 B to 1 MiB: a cold run, then one in which the winner
    (in every other world the second best too) becomes slower, then runs of nothing but noise.
    """
    native = core()
    if grouping not in GROUPINGS:
        fail(f'no grouping "{grouping}"; choose one of {", ".join(GROUPINGS)}')
    known = {row["name"]: row for row in native.described_machines()}
    names = machine or list(known)
    for name in names:
        if name not in known:
            fail(f'no described machine "{name}"; there are {", ".join(known)}')

    def play(name: str) -> dict[str, Any]:
        return native.play_arena(
            name,
            worlds=worlds,
            calls=calls,
            noise_calls=noise_calls,
            seed=seed,
            grouping=grouping,
            with_model=grouping != "everything",
        )

    with ThreadPoolExecutor() as pool:
        results = list(pool.map(play, names))
    if not is_screen(json):
        console.print(_table(results))
    write_json(_document(results, known, seed, calls, grouping), json)
    if picture is not None:
        _draw(results, picture)
        notes.print(f"wrote {picture}", highlight=False)
    if check and (missed := _missed(results)):
        fail("; ".join(missed), FAILED)


def _missed(results: list[dict[str, Any]]) -> list[str]:
    sentences = []
    for result in results:
        for key, (direction, limit) in LIMITS.items():
            value = result[key]
            if value < limit if direction == "at least" else value > limit:
                sentences.append(
                    f"{result['machine']}: {key} is {value:g}, it must be {direction} {limit}"
                )
    return sentences


def _table(results: list[dict[str, Any]]) -> Table:
    table = Table(title="Selection against an oracle")
    table.add_column("machine (ranks)", no_wrap=True)
    for column in ("best", "regret", "worst", "/native", "recovery", "false"):
        table.add_column(column, justify="right", no_wrap=True)
    for result in results:
        table.add_row(
            f"{result['machine']} ({result['ranks']})",
            f"{100 * result['best_chosen_fraction']:.1f} %",
            f"{100 * result['regret']:.2f} %",
            f"{100 * result['regret_max']:.2f} %",
            f"{result['over_native_geomean']:.3f}",
            str(result["drift_recovery_calls"]),
            str(result["false_relearnings"]),
        )
    table.caption = (
        "best: keys with the best (or within 3 %) in use; regret: over the oracle; /native: time "
        "over the host's own; recovery: calls until the new best is in use; false: learnt again "
        "for nothing"
    )
    return table


def _document(
    results: list[dict[str, Any]],
    known: dict[str, dict[str, Any]],
    seed: int,
    calls: int,
    grouping: str,
) -> dict[str, Any]:
    rows = []
    summary = {}
    for result in results:
        machine = result["machine"]
        rows += [{"machine": machine, "ranks": result["ranks"], **row} for row in result["rows"]]
        summary[machine] = {
            key: value for key, value in result.items() if key not in ("machine", "ranks", "rows")
        }
    machines = [known[result["machine"]] for result in results]
    return {
        "benchmark": "arena",
        "machine": {"virtual": [{k: m[k] for k in ("name", "sentence")} for m in machines]},
        "mpi": None,
        "ranks": [result["ranks"] for result in results],
        "settings": {"seed": seed, "calls": calls, "grouping": grouping},
        "rows": rows,
        "summary": summary,
    }


def _draw(results: list[dict[str, Any]], path: Path) -> None:
    figure = new_figure(8, 7)
    axes = figure.subplots(2, 1, sharex=True)
    for result in results:
        sizes = sorted({row["bytes"] for row in result["rows"]})
        by_size = {size: [row for row in result["rows"] if row["bytes"] == size] for size in sizes}
        for axis, key, scale in ((axes[0], "regret", 100), (axes[1], "over_native", 1)):
            means = [
                scale * sum(row[key] for row in by_size[size]) / len(by_size[size])
                for size in sizes
            ]
            axis.plot(sizes, means, marker=".", label=f"{result['machine']} ({result['ranks']})")
    axes[0].axhline(100 * LIMITS["regret"][1], color="black", linewidth=0.8, linestyle="--")
    axes[0].set_ylabel("regret against the oracle (%)")
    axes[0].legend(title="machine (ranks)")
    axes[1].axhline(1, color="black", linewidth=0.8, linestyle="--")
    axes[1].set_ylabel("time over the host's own")
    axes[1].set_xlabel("bytes of a block")
    axes[1].set_xscale("log", base=2)
    save_figure(figure, path)
