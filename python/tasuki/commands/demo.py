"""`tasuki demo`: a real MPI program, natively and through Tasuki, on several MPIs."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from tasuki import demo
from tasuki.bench.support import options
from tasuki.bench.support.programs import ProgramError
from tasuki.bench.support.report import document, load_text
from tasuki.machine import busy, usable_cores
from tasuki.output import FAILED, console, fail, is_screen, notes, write_json
from tasuki.picture import check_picture
from tasuki.sizes import duration_text


def register(app: typer.Typer) -> None:
    app.command("demo", epilog="Example: tasuki demo --mpi openmpi,mpich --ranks 4")(run_demo)


def run_demo(
    mpi: options.Mpi = "openmpi,mpich",
    ranks: Annotated[
        int | None,
        typer.Option(min=1, help="Ranks; a power of two up to 32. As many as cores if not given."),
    ] = None,
    steps: Annotated[
        int | None,
        typer.Option(min=1, help="Time steps of a run; found by a trial if not given."),
    ] = None,
    json_file: options.Json = Path("results/demo.json"),
    picture: Annotated[
        Path,
        typer.Option(
            callback=check_picture, help="Draw the flow and the times here, and as .svg beside."
        ),
    ] = Path("results/demo.png"),
) -> None:
    """Run a turbulence solver that knows nothing of Tasuki, without and with it, and compare.

    The program is examples/spectral. Its answers must be the same bit for bit.
    """
    hosts = options.parsed(options.parse_hosts, mpi)
    ranks = demo.ranks_for(usable_cores()) if ranks is None else ranks
    if ranks > demo.MOST_RANKS or ranks & (ranks - 1):
        fail(f"--ranks {ranks}: the example needs a power of two up to {demo.MOST_RANKS}")
    if reason := busy():
        notes.print(f"[yellow]The times below mean little: {reason}.[/yellow]")
    try:
        with tempfile.TemporaryDirectory() as folder, notes.status("compiling") as status:
            field_file = Path(folder) / "vorticity.raw"
            show = demo.Demonstration(hosts, ranks, Path(folder), status.update)
            pace = show.seconds_per_step()
            steps = steps or demo.steps_for(pace)
            rows = show.compare(steps)
            results = document("demo", hosts, [ranks], rows, demo.summary(rows, steps))
            field_steps = show.field(pace, field_file)
            draw(results, field_file, field_steps, picture)
    except ProgramError as error:
        fail(str(error), FAILED)
    if not is_screen(json_file):
        print_results(results)
        console.print(f"Picture: {picture}", highlight=False)
    write_json(results, json_file)
    if not results["summary"]["answers_are_identical"]:
        fail("the answers differ: this is a fault of Tasuki or of an MPI, please report it", FAILED)


def draw(results: dict[str, Any], field_file: Path, field_steps: int, picture: Path) -> None:
    from tasuki.demo_picture import draw  # matplotlib takes half a second to load

    title = f"vorticity after {field_steps} steps ({demo.FIELD_GRID} x {demo.FIELD_GRID})"
    files = dict.fromkeys([picture, picture.with_suffix(".svg")])
    draw(results, field_file, title, list(files))


def print_results(results: dict[str, Any]) -> None:
    found = results["summary"]
    title = (
        f"examples/spectral, {found['grid']} x {found['grid']}, {found['steps']} steps, "
        f"{results['ranks'][0]} ranks"
    )
    table = Table(title=title, caption=load_text())
    for name in ("MPI", "MPI_Alltoall by", "run", "transposes", "ratio", "checksum"):
        is_number = name in ("run", "transposes", "ratio")
        table.add_column(name, justify="right" if is_number else "left", no_wrap=True)
    reference = results["rows"][0]["checksums"][0]
    for row in results["rows"]:
        same = row["checksums"] == [reference]
        table.add_row(
            row["mpi"],
            row["algorithm"],
            duration_text(row["median_seconds"]),
            duration_text(row["transpose_seconds"]),
            f"{row['ratio_to_native']:.2f}",
            reference if same else f"[red]{' '.join(row['checksums'])}[/red]",
            end_section=row is [r for r in results["rows"] if r["mpi"] == row["mpi"]][-1],
        )
    console.print(table)
    for line in conclusions(found):
        console.print(line, highlight=False)


def conclusions(found: dict[str, Any]) -> list[str]:
    """What the table says, in sentences."""
    lines = [
        "Every run gave the same bits."
        if found["answers_are_identical"]
        else "The answers are NOT the same."
    ]
    for mpi in dict.fromkeys(row["mpi"] for row in found["verdicts"]):
        parts = []
        for verdict in ("faster", "slower", "no clear difference", "too few runs to tell"):
            names = [
                f"{row['algorithm']} (x{row['ratio_to_native']:.2f})"
                for row in found["verdicts"]
                if (row["mpi"], row["verdict"]) == (mpi, verdict)
            ]
            if names:
                parts.append(f"{verdict}: {', '.join(names)}")
        lines.append(f"{mpi}, against the run without Tasuki: {'; '.join(parts)}.")
    return lines
