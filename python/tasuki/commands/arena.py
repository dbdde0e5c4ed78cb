"""`tasuki arena`: selection in virtual time, on machines that exist only as numbers."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from tasuki import arena_policies
from tasuki.native import core
from tasuki.output import FAILED, check_json, console, fail, is_screen, notes, write_json
from tasuki.picture import check_picture, new_figure, save_figure

GROUPINGS = ("near-best", "midpoint", "everything")
LIMITS = {
    "best_chosen_fraction": ("at least", 0.99),
    "regret": ("at most", 0.01),
    "drift_recovery_calls": ("at most", 500),
    "false_relearnings": ("at most", 0),
}
"""What selection must show on each machine."""
DRIFTS = ("winner", "other")
MOST_CALLS = 100_000_000


def register(app: typer.Typer) -> None:
    app.command(
        "arena", epilog="Example: tasuki arena --noise 10 --calls 5000 --drift-at 2000 --json -"
    )(arena)


def arena(
    machine: Annotated[
        list[str] | None,
        typer.Option(help="Only this described machine; may be given several times."),
    ] = None,
    worlds: Annotated[
        int, typer.Option(min=1, max=1000, help="Machines drawn for each description and size.")
    ] = 4,
    calls: Annotated[int, typer.Option(min=100, max=MOST_CALLS, help="Calls of each key.")] = 20000,
    noise: Annotated[
        float, typer.Option(metavar="PERCENT", help="Deviation of a call, in % of its time.")
    ] = 4.0,
    drift_at: Annotated[
        int | None,
        typer.Option(
            metavar="CALL",
            min=1,
            max=MOST_CALLS,
            help="The call after which runs that drift do. Default: after all calls; before, the "
            "policies drift, too.",
        ),
    ] = None,
    drift_factor: Annotated[
        float, typer.Option(metavar="F", help="How many times as long it takes then; over 1.")
    ] = 1.6,
    drift: Annotated[
        str,
        typer.Option(
            help="winner: what is in use gets slower by the factor; other: another gets faster "
            "than what is in use by the factor."
        ),
    ] = "winner",
    noise_calls: Annotated[
        int,
        typer.Option(
            min=0,
            max=MOST_CALLS,
            help="Calls of pure noise, in which nothing may be learnt again.",
        ),
    ] = 1_000_000,
    seed: Annotated[
        int, typer.Option(min=0, max=2**64 - 1, help="Of everything that is drawn.")
    ] = 1,
    grouping: Annotated[
        str,
        typer.Option(help="near-best, midpoint (as in the paper) or everything (no prediction)."),
    ] = "near-best",
    json: Annotated[
        Path | None,
        typer.Option(
            callback=check_json, metavar="FILE", help="Write the result as JSON; - is the screen."
        ),
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
    (in every other world the second best too) becomes slower, then runs of nothing but noise. The
    calls of the cold run are also made by each policy: one fixed candidate, the host's own, learnt
    with and without a model, and begun with what was kept. Equal seeds give equal bits.
    """
    native = core()
    if grouping not in GROUPINGS:
        fail(f'no grouping "{grouping}"; choose one of {", ".join(GROUPINGS)}')
    if drift not in DRIFTS:
        fail(f'no drift "{drift}"; choose one of {", ".join(DRIFTS)}')
    if not 0 <= noise <= 100:
        fail(f"noise of {noise:g} %; it must be from 0 to 100")
    if not (drift_factor > 1 and math.isfinite(drift_factor)):
        fail(f"a drift by the factor {drift_factor:g}; it must be over 1")
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
            noise=noise / 100,
            drift_at=drift_at,
            drift_factor=drift_factor,
            other_faster=drift == "other",
        )

    with ThreadPoolExecutor() as pool:
        results = list(pool.map(play, names))
    for result in results:
        result |= arena_policies.summary(result["rows"])
    if not is_screen(json):
        console.print(_table(results))
        console.print(arena_policies.table(results))
    settings = {
        "seed": seed,
        "calls": calls,
        "grouping": grouping,
        "noise_percent": noise,
        "drift": drift,
        "drift_at": calls if drift_at is None else drift_at,
        "drift_factor": drift_factor,
    }
    write_json(_document(results, known, settings), json)
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
    settings: dict[str, Any],
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
        "settings": settings,
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
