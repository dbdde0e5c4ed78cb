"""`tasuki demo`: a real MPI program, natively and through Tasuki, on several MPIs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from tasuki import demo
from tasuki.bench.support import options
from tasuki.bench.support.programs import ProgramError
from tasuki.bench.support.report import document, load_text
from tasuki.machine import busy, usable_cores
from tasuki.output import FAILED, console, fail, is_screen, notes, write_json
from tasuki.picture import check_picture
from tasuki.sizes import duration_text, parse_counts
from tasuki.temporary import temporary_folder


def register(app: typer.Typer) -> None:
    app.command("demo", epilog="Example: tasuki demo --mpi openmpi,mpich --ranks 4,16")(run_demo)


def run_demo(
    mpi: options.Mpi = "openmpi,mpich",
    ranks: Annotated[
        str | None,
        typer.Option(
            help="Numbers of ranks, such as 2,8; powers of two up to 32. If not given, as many as "
            "cores, and four times as many."
        ),
    ] = None,
    steps: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Time steps of a run; if not given, as many on each MPI as fill a second, "
            "by a trial.",
        ),
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
    hosts = [demo.starts_at_once(host) for host in options.parsed(options.parse_hosts, mpi)]
    cores = usable_cores()
    cases = demo.usual_ranks(cores) if ranks is None else options.parsed(parse_counts, ranks)
    for case in cases:
        if case > demo.MOST_RANKS or case & (case - 1):
            fail(f"--ranks {case}: the example needs a power of two up to {demo.MOST_RANKS}")
    if reason := busy():
        notes.print(f"The times below mean little: {reason}.", style="yellow")
    try:
        with temporary_folder() as folder, notes.status("compiling") as status:
            field_file = Path(folder) / "vorticity.raw"
            programs = {host.name: demo.compile_example(host, Path(folder)) for host in hosts}
            rows, trials = [], {}
            for case in cases:
                show = demo.Demonstration(
                    hosts, programs, case, demo.grid_for(case, cores), status.update
                )
                trial = trials[case] = show.trial()
                rows += show.compare(
                    {
                        host.name: steps or demo.steps_for(trial.step_seconds(host.name))
                        for host in hosts
                    }
                )
            results = document("demo", hosts, cases, rows, demo.summary(rows, trials))
            field_steps = show.field(trial, field_file)
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
    for case in results["summary"]["cases"]:
        print_case(case, [row for row in results["rows"] if row["ranks"] == case["ranks"]])
    for line in conclusions(results["summary"]):
        console.print(line, highlight=False)


def print_case(case: dict[str, Any], rows: Sequence[dict[str, Any]]) -> None:
    steps = ", ".join(f"{taken} steps on {mpi}" for mpi, taken in case["steps"].items())
    title = f"examples/spectral, {case['grid']} x {case['grid']}, {case['ranks']} ranks; {steps}"
    table = Table(title=title, caption=load_text())
    for name in ("MPI", "MPI_Alltoall by", "run", "transposes", "ratio", "checksum"):
        is_number = name in ("run", "transposes", "ratio")
        table.add_column(name, justify="right" if is_number else "left", no_wrap=True)
    reference = {row["steps"]: row["checksums"][0] for row in reversed(rows)}
    for row in rows:
        first = reference[row["steps"]]
        same = row["checksums"] == [first]
        table.add_row(
            row["mpi"],
            row["algorithm"],
            duration_text(row["median_seconds"]),
            duration_text(row["transpose_seconds"]),
            f"{row['ratio_to_native']:.2f}",
            first if same else Text(" ".join(row["checksums"]), style="red"),
            end_section=row is [r for r in rows if r["mpi"] == row["mpi"]][-1],
        )
    console.print(table)


def conclusions(found: dict[str, Any]) -> list[str]:
    """What the table says, in sentences."""
    lines = [
        "All runs of as many steps gave the same bits."
        if found["answers_are_identical"]
        else "The answers are NOT the same."
    ]
    for case in found["cases"]:
        for mpi in dict.fromkeys(row["mpi"] for row in case["verdicts"]):
            verdicts = [row for row in case["verdicts"] if row["mpi"] == mpi]
            what = f"{mpi}, {case['ranks']} ranks, {case['steps'][mpi]} steps"
            whole = ", ".join(
                f"{row['algorithm']} x{row['whole_ratio_to_native']:.2f}" for row in verdicts
            )
            lines.append(f"{what}, against the run without Tasuki: {verdicts_text(verdicts)}.")
            lines.append(f"  With starting and ending the job: {whole}.")
    return lines


def verdicts_text(rows: Sequence[dict[str, Any]]) -> str:
    """ "faster: auto (x0.82); no clear difference: native (x1.01)" """
    parts = []
    for verdict in ("faster", "slower", "no clear difference", "too few runs to tell"):
        names = [
            f"{row['algorithm']} (x{row['ratio_to_native']:.2f})"
            for row in rows
            if row["verdict"] == verdict
        ]
        if names:
            parts.append(f"{verdict}: {', '.join(names)}")
    return "; ".join(parts)
