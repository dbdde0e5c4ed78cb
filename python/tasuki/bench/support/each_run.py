"""The runs of a benchmark: one for each host and number of ranks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from rich.progress import Progress

from tasuki.bench.support.programs import compile_program, project_file
from tasuki.hosts import Host
from tasuki.output import notes
from tasuki.temporary import temporary_folder


def each_run(
    source: str, hosts: Sequence[Host], rank_counts: Sequence[int], steps: int
) -> Iterator[tuple[Host, int, Path, Callable[[], object]]]:
    """Host, ranks, the project's C program `source` compiled for the host, and what is to be called
    when a run is done with one of its `steps`, which are sizes mostly.

    Shows the progress. The program lies in a folder that goes when the last run is done.
    ProgramError if it does not compile.
    """
    with temporary_folder() as folder, Progress(console=notes) as progress:
        task = progress.add_task("", total=len(hosts) * len(rank_counts) * steps)
        for host in hosts:
            program = compile_source(source, host, Path(folder))
            for ranks in rank_counts:
                progress.update(task, description=f"{host.name}, {ranks} ranks")
                yield host, ranks, program, lambda: progress.advance(task)


def compile_source(source: str, host: Host, folder: Path) -> Path:
    path = project_file(source)
    return compile_program(host, [path], folder / f"{path.stem}-{host.name}", ["-ldl"])
