"""`tasuki show`: one schedule as text and picture, with its proof."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from tasuki.native import core
from tasuki.output import (
    FAILED,
    check_json,
    check_target,
    console,
    fail,
    is_screen,
    write_file,
    write_json,
)
from tasuki.picture import check_picture
from tasuki.schedule.contents import contents
from tasuki.schedule.picture import MOST_RANKS, draw
from tasuki.schedule.rounds_table import fits, rounds_table
from tasuki.schedule.timeline import NeverEnds, Timeline, timeline
from tasuki.sizes import MOST_RANKS as RANKS_OF_MPI


def register(app: typer.Typer) -> None:
    app.command(
        epilog="Example: tasuki show alltoall/bruck --ranks 8 --param radix=4 --picture bruck.svg"
    )(show)


def show(
    algorithm: Annotated[
        str, typer.Argument(metavar="COLLECTIVE/NAME", help="As in `tasuki list`.")
    ],
    ranks: Annotated[int, typer.Option(min=1, max=RANKS_OF_MPI, help="Number of ranks.")] = 8,
    param: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="Set a parameter.")
    ] = None,
    placement: Annotated[
        str, typer.Option(help="NODESxRANKS_PER_NODE (2x4), or the node of every rank (0,0,1,1).")
    ] = "",
    fabric: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="The nodes are the first hosts of this file (tasuki fabric assign --routes FILE); "
            "without --placement each rank is a node.",
        ),
    ] = None,
    root: Annotated[
        int,
        typer.Option(min=0, max=RANKS_OF_MPI, help="The root, of collectives that have one."),
    ] = 0,
    rank: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=RANKS_OF_MPI,
            help="Only the program of this rank, for any number of ranks.",
        ),
    ] = None,
    dot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the steps as a Graphviz graph.")
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            callback=check_picture,
            help="Draw it in space and time: .svg, .png or .pdf.",
        ),
    ] = None,
    json: Annotated[
        Path | None,
        typer.Option(
            callback=check_json, metavar="FILE", help="Write all of it as JSON; - is the screen."
        ),
    ] = None,
) -> None:
    """Show what an algorithm does, step by step, and prove that it does it right."""
    collective, choice = _read_name(algorithm, param or [])
    check_target("--dot", dot)
    try:
        if fabric is not None:
            placement = _on_fabric(placement, ranks, fabric)
        if rank is not None:
            if picture or dot or json:
                fail(
                    "--rank prints the program of one rank, and --picture, --dot and --json take "
                    "all of them: leave out the one or the other"
                )
            _show_program(collective, choice, rank, ranks, placement, root)
        elif ranks > MOST_RANKS:
            if picture or dot or json:
                fail(
                    f"{ranks} ranks are too many to draw or write down; at most {MOST_RANKS} are. "
                    "--rank R prints the program of one rank"
                )
            _show_summary(collective, choice, ranks, placement, root)
        else:
            schedule = core().schedule(collective, choice, ranks, placement, root)
            _show_schedule(schedule, choice, dot, picture, json)
    except ValueError as error:
        fail(str(error))
    except MemoryError:
        fail(f"--ranks {ranks}: the steps of a rank take more memory than there is", FAILED)


def _read_name(algorithm: str, parameters: list[str]) -> tuple[str, str]:
    """("alltoall", "bruck:radix=4") from what the user wrote in either of two ways."""
    collective, slash, choice = algorithm.partition("/")
    rows = core().algorithms()
    collectives = list(dict.fromkeys(row["collective"] for row in rows))
    if not slash or collective not in collectives:
        fail(
            f'"{algorithm}" names no algorithm; expected COLLECTIVE/NAME, as alltoall/bruck. '
            f"Collectives: {', '.join(collectives)}. `tasuki list` shows all"
        )
    if parameters:
        choice += ("," if ":" in choice else ":") + ",".join(parameters)
    try:
        return collective, core().parse_choice(collective, choice)
    except ValueError as error:
        fail(str(error))


def _on_fabric(placement: str, ranks: int, fabric: Path) -> str:
    try:
        return core().placement_on(placement, ranks, str(fabric))
    except RuntimeError as error:
        fail(str(error))


def _show_program(
    collective: str, choice: str, rank: int, ranks: int, placement: str, root: int
) -> None:
    program = core().program(collective, choice, rank, ranks, placement, root)
    print(f"{collective}/{choice}: rank {rank} of {ranks}")
    tails = " tails" if program.has_tails else ""
    print(
        f"input {program.input_chunks} output {program.output_chunks}{tails} "
        f"scratch {program.scratch_chunks}"
    )
    for step, text in enumerate(program.texts()):
        print(f"{step}: {text}")


def _show_summary(collective: str, choice: str, ranks: int, placement: str, root: int) -> None:
    program = core().program(collective, choice, 0, ranks, placement, root)
    columns = program.columns()
    sends = columns["kind"] == core().STEP_KINDS.index("send")
    copies = columns["kind"] == core().STEP_KINDS.index("copy")
    print(
        f"{collective}/{choice}, {ranks} ranks. Rank 0: {len(program)} steps, "
        f"{sends.sum()} messages of {columns['from_count'][sends].sum()} chunks together, "
        f"{columns['to_count'][copies].sum()} chunks copied, {program.scratch_chunks} of scratch.\n"
        f"More than {MOST_RANKS} ranks are neither printed nor proved here; --rank R prints the "
        "program of one rank."
    )


def _show_schedule(
    schedule: Any, choice: str, dot: Path | None, picture_file: Path | None, json: Path | None
) -> None:
    findings = schedule.verify()
    try:
        in_time = timeline(schedule, core().STEP_KINDS)
    except NeverEnds:
        in_time = None  # the proof has found out, and says where
    title = (
        f"{schedule.collective}/{choice}, {schedule.ranks} ranks, placement {schedule.placement}"
    )
    if dot is not None:
        write_file(dot, schedule.dot())
    if picture_file is not None and in_time is not None:
        draw(in_time, contents(schedule, core(), in_time), title, picture_file)
    if json is not None:
        write_json(_document(schedule, choice, in_time, findings), json)
    if not is_screen(json):
        print(schedule.text())
        if in_time is not None and fits(in_time):
            console.print(rounds_table(in_time))
        print(f"{title}: {_summary(schedule, in_time)}")
        for written in (dot, picture_file, json):
            if written is not None:
                print(f"written: {written}")
    if findings:
        sentences = "\n".join(finding["message"] for finding in findings[:10])
        fail(f"NOT PROVED, {len(findings)} findings:\n{sentences}", FAILED)
    if not is_screen(json):
        print(
            "Proved: every output chunk is right, sends and receives match, no deadlock, no hazard."
        )


def _summary(schedule: Any, in_time: Timeline | None) -> str:
    programs = [schedule.program(rank) for rank in range(schedule.ranks)]
    scratch = max(program.scratch_chunks for program in programs)
    if in_time is None:
        return f"never ends; at most {scratch} chunks of scratch"
    sent, chunks, copied, reduced = ([0] * schedule.ranks for _ in range(4))
    for message in in_time.messages:
        sent[message.sender] += 1
        chunks[message.sender] += message.chunks
    for move in in_time.moves:
        (copied if move.kind == "copy" else reduced)[move.rank] += move.chunks
    reducing = f"reduce {max(reduced)} chunks, " if any(reduced) else ""
    return (
        f"rounds: {in_time.rounds}; most that a rank does: send {max(sent)} messages of "
        f"{max(chunks)} chunks together, copy {max(copied)} chunks, {reducing}"
        f"keep {scratch} in scratch."
    )


def _document(
    schedule: Any, choice: str, in_time: Timeline | None, findings: list[dict[str, Any]]
) -> dict[str, Any]:
    programs = [schedule.program(rank) for rank in range(schedule.ranks)]
    return {
        "collective": schedule.collective,
        "algorithm": schedule.algorithm,
        "choice": choice,
        "parameters": schedule.parameters,
        "ranks": schedule.ranks,
        "root": schedule.root,
        "placement": schedule.placement,
        "proved": not findings,
        "findings": findings,
        "rounds": in_time.rounds if in_time else None,
        "messages": [asdict(message) for message in in_time.messages] if in_time else [],
        "programs": [
            {
                "rank": rank,
                "input_chunks": program.input_chunks,
                "output_chunks": program.output_chunks,
                "has_tails": program.has_tails,
                "scratch_chunks": program.scratch_chunks,
                "steps": program.texts(),
            }
            for rank, program in enumerate(programs)
        ],
    }
