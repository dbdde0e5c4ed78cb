"""`tasuki model`: P-LogP parameters, and what they predict."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from tasuki.native import core
from tasuki.output import console, fail, is_screen, notes, write_json, wrote_to_screen
from tasuki.picture import check_picture, new_figure, save_figure
from tasuki.sizes import duration_text, parse_sizes, size_text

model_app = typer.Typer(no_args_is_help=True, help="P-LogP parameters, and what they predict.")

MachineArgument = Annotated[
    str, typer.Argument(help="A file of parameters, or a described machine (tasuki model list).")
]
JsonOption = Annotated[
    Path | None, typer.Option("--json", help="Write the result as JSON; - is the screen.")
]
PictureOption = Annotated[
    Path | None,
    typer.Option(callback=check_picture, help="Draw into this file (.png, .svg, .pdf)."),
]


def register(app: typer.Typer) -> None:
    app.add_typer(model_app, name="model")


@model_app.command("list", epilog="Example: tasuki model list")
def list_machines(json: JsonOption = None) -> None:
    """List the machines that exist only as numbers."""
    machines = core().described_machines()
    if not wrote_to_screen(machines, json):
        table = Table("machine", "ranks", "placement", "")
        for row in machines:
            table.add_row(row["name"], str(row["ranks"]), row["placement"], row["sentence"])
        console.print(table)


@model_app.command("show", epilog="Example: tasuki model show primergy --picture plogp.png")
def show(machine: MachineArgument, json: JsonOption = None, picture: PictureOption = None) -> None:
    """Show latency, overheads and gap of a machine, as table and plot."""
    parameters = core().read_machine(_parameters(machine))
    if not wrote_to_screen(parameters, json):
        console.print(_parameter_table(parameters))
    if picture is not None:
        _draw_parameters(parameters, picture)
        notes.print(f"wrote {picture}", highlight=False)


@model_app.command(
    "predict", epilog="Example: tasuki model predict alltoall --ranks 32 --sizes 64:1M"
)
def predict(
    collective: Annotated[str, typer.Argument(help="alltoall")],
    ranks: Annotated[int, typer.Option(min=1, help="Ranks of the communicator.")] = 32,
    placement: Annotated[
        str | None, typer.Option(help="NODESxRANKS or the ranks of a node. Default: one node.")
    ] = None,
    sizes: Annotated[str, typer.Option(help="Bytes of a block.")] = "64:1M",
    machine: Annotated[
        str, typer.Option(help="A file of parameters, or a described machine.")
    ] = "primergy",
    json: JsonOption = None,
    picture: PictureOption = None,
) -> None:
    """Predict every algorithm: a line over the sizes, and where the best changes."""
    try:
        wanted = parse_sizes(sizes)
        lines = core().predict(
            collective, ranks, placement or str(ranks), wanted, _parameters(machine)
        )
    except ValueError as error:
        fail(str(error))
    if not lines:
        known = sorted({row["collective"] for row in core().algorithms()})
        fail(f'no algorithm for "{collective}"; there are algorithms for {", ".join(known)}')
    crossovers = _crossovers(wanted, lines)
    if json is not None:
        write_json(
            {
                "collective": collective,
                "ranks": ranks,
                "placement": placement or str(ranks),
                "machine": machine,
                "sizes": wanted,
                "seconds": lines,
                "best": crossovers,
            },
            json,
        )
    if not is_screen(json):
        console.print(_prediction_table(wanted, lines))
        for row in crossovers:
            console.print(f"from {size_text(row['bytes'])}: {row['algorithm']}", highlight=False)
    if picture is not None:
        _draw_lines(wanted, lines, f"{collective}, {ranks} ranks, {machine}", picture)
        notes.print(f"wrote {picture}", highlight=False)


def _parameters(machine: str) -> str:
    """The text of a machine's parameters, by its name or file."""
    described = {row["name"]: row["parameters"] for row in core().described_machines()}
    if machine in described:
        return described[machine]
    try:
        text = Path(machine).read_text()
        core().read_machine(text)
    except OSError as error:
        fail(
            f'"{machine}" is no described machine ({", ".join(described)}), '
            f"and as a file it cannot be read: {error.strerror}"
        )
    except ValueError as error:
        fail(f"{machine}: {error}")
    return text


def _crossovers(sizes: list[int], lines: dict[str, list[float]]) -> list[dict[str, Any]]:
    """The best algorithm from each size on at which it changes."""
    changes: list[dict[str, Any]] = []
    for index, size in enumerate(sizes):
        best = min(lines, key=lambda name: lines[name][index])
        if not changes or changes[-1]["algorithm"] != best:
            changes.append({"bytes": size, "algorithm": best})
    return changes


def _prediction_table(sizes: list[int], lines: dict[str, list[float]]) -> Table:
    table = Table("bytes", "best", "time", "next", "longer by", "slowest", "longer by")
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


def _functions(parameters: dict[str, Any]) -> dict[str, list[tuple[int, float]]]:
    named = {}
    for where in ("on_node", "off_node"):
        for what in ("send_overhead", "receive_overhead", "gap"):
            named[f"{where.replace('_', '-')} {what.replace('_', ' ')}"] = parameters[where][what]
    return {**named, "copy": parameters["copy"]}


def _parameter_table(parameters: dict[str, Any]) -> Table:
    table = Table("parameter", "value", title=parameters["fingerprint"] or None)
    for where in ("on_node", "off_node"):
        name = f"{where.replace('_', '-')} latency"
        table.add_row(name, duration_text(parameters[where]["latency"]))
    for name, points in _functions(parameters).items():
        values = (f"{size_text(size)}: {duration_text(s)}" for size, s in points)
        table.add_row(name, ", ".join(values))
    return table


def _draw_parameters(parameters: dict[str, Any], path: Path) -> None:
    sizes: list[int] = []
    lines: dict[str, list[float]] = {}
    for name, points in _functions(parameters).items():
        sizes = [max(1, size) for size, _ in points]
        lines[name] = [seconds for _, seconds in points]
    _draw_lines(sizes, lines, parameters["fingerprint"], path)


def _draw_lines(sizes: list[int], lines: dict[str, list[float]], title: str, path: Path) -> None:
    figure = new_figure(8, 5)
    axis = figure.subplots()
    for name, seconds in lines.items():
        axis.plot(sizes[: len(seconds)], seconds, marker=".", label=name)
    axis.set(xlabel="bytes", ylabel="seconds", title=title, yscale="log")
    axis.set_xscale("log", base=2)
    axis.legend()
    save_figure(figure, path)
