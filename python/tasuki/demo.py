"""The demonstration: a program that knows nothing of Tasuki, natively and through it.

examples/spectral is compiled for each host and run in turn without Tasuki and with several
algorithms forced; it must give the same bits each time. A short trial of as many steps on each host
is compared between all of them. It says how many steps a host's runs take to be long enough to tell
an algorithm from noise; what those give is compared between the runs of that host.
"""

from __future__ import annotations

import math
import os
import re
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tasuki.bench.support.launch import launch
from tasuki.bench.support.program_runs import WITHOUT
from tasuki.bench.support.programs import ProgramError, compile_program, project_file
from tasuki.bench.support.verdict import verdict
from tasuki.hosts import Host

WAYS = {
    WITHOUT: None,
    "native": "native",
    "spread": "spread",
    "memory": "spread:carrier=memory",
    "auto": "auto:kept=0",
}
"""What is compared, and the setting of TASUKI_ALLTOALL for it. "native" is the host's own algorithm
with Tasuki there; "memory" is spread with its messages carried by memory operations; "auto" is
learnt in the run itself, without what earlier runs have kept."""
LINES_PER_CORE = 16
"""The grid has so many lines a core: messages of 4 KiB where each rank has one, of 256 bytes where
four ranks share it. There the choice of algorithm matters, and waiting."""
MOST_RANKS = 32
CROWDED = 4
"""The second case has so many ranks on a core, as on laptops and in continuous integration."""
REPETITIONS = 5
TRIAL_STEPS = 200
"""Enough for the latter half to be past what first calls set up."""
FEWEST_STEPS, MOST_STEPS = 10, 20_000
RUN_SECONDS = 1.1
"""What a run by the fastest way is to take: far more than what the first calls set up and learn,
and than a slice of the system's scheduler."""
BUDGET_SECONDS = 28.0
"""What all runs of a case may take on one host, without the time that jobs need to start: 25 runs
of a second, and an eighth more. Where some ways are several times slower than others it is for
fewer steps: such a difference shows in shorter runs."""
MOST_SECONDS = 120.0
"""What the runs of a case may take on all hosts, with starting."""
FIELD_GRID, FIELD_STEPS, SHORTER_FIELD_STEPS = 128, 400, 100
"""The run whose result is drawn; the shorter one where even that would take long."""
FIELD_SECONDS = 10.0
LIMIT_SECONDS = 300.0
NETWORK_CARDS = (Path("/sys/class/infiniband"), Path("/sys/class/cxi"))
"""Where Linux lists those that libfabric drives."""


@dataclass(frozen=True)
class Run:
    """What the program told. Seconds are those of its slowest rank."""

    seconds: float
    """Of its steps, without starting and ending the job."""
    step_seconds: float
    """Of a step in the latter half."""
    transpose_seconds: float
    alltoall_seconds: float
    checksum: str
    whole_seconds: float = 0.0
    """From before the job was started to its end."""


@dataclass(frozen=True)
class Trial:
    """A short run of each host and way, of as many steps everywhere."""

    runs: Mapping[str, Mapping[str, Run]]
    """By host and way."""

    def checksums(self) -> list[str]:
        return sorted({run.checksum for ways in self.runs.values() for run in ways.values()})

    def step_seconds(self, host: str) -> dict[str, float]:
        """By way: some hosts are many times slower by some where ranks share cores."""
        return {way: run.step_seconds for way, run in self.runs[host].items()}


def parse_output(lines: Sequence[str]) -> Run:
    """What examples/spectral printed; ProgramError if something is missing."""
    words = [line.split() for line in lines]
    told = {line[0]: line[1] for line in words if len(line) > 1}
    try:
        steps = next(int(line[3].strip("()")) for line in words if line[:1] == ["latter"])
        return Run(
            seconds=float(told["run"]),
            step_seconds=float(told["latter"]) / max(steps, 1),
            transpose_seconds=float(told["transposes"]),
            alltoall_seconds=float(told["alltoall"]),
            checksum=told["checksum"],
        )
    except (KeyError, IndexError, StopIteration, ValueError) as error:
        raise ProgramError(f"the example printed something unexpected: {error}") from error


def compile_example(host: Host, folder: Path) -> Path:
    sources = sorted(project_file("examples/spectral").glob("*.c"))
    return compile_program(host, sources, folder / f"spectral-{host.name}", ["-lm"])


def starts_at_once(host: Host) -> Host:
    """The same, but Open MPI does not look for network cards where this machine has none.

    In each MPI_Init libfabric would sleep for a second over it, and find nothing: what carries
    messages is the same. What the user has set stays.
    """
    found = any(folder.is_dir() and any(folder.iterdir()) for folder in NETWORK_CARDS)
    if host.abi != "openmpi" or found:
        return host
    quick = {f"OMPI_MCA_{layer}": "^ofi" for layer in ("mtl", "btl")}
    unset = {name: value for name, value in quick.items() if name not in os.environ}
    return replace(host, variables={**unset, **host.variables})


def check_what_ran(setting: str, remarks: Sequence[str]) -> None:
    """ProgramError unless Tasuki greeted with this setting and did not leave it to the host."""
    chosen = "" if setting == "native" else f" TASUKI_ALLTOALL={re.escape(setting)}"
    words = rf"tasuki: \S+ TASUKI_COLLECTIVES=native{chosen} on \d+ ranks of"
    greeted = any(re.search(words, remark) for remark in remarks)
    if not greeted or any("does not run on a communicator" in remark for remark in remarks):
        told = "\n".join(remarks) or "nothing"
        raise ProgramError(f"the run by '{setting}' was not by '{setting}'; Tasuki said:\n{told}")


@dataclass
class Demonstration:
    """One number of ranks and one grid on one machine's hosts, each with the compiled example, and
    what is said about progress."""

    hosts: Sequence[Host]
    programs: Mapping[str, Path]
    ranks: int
    grid: int
    tell: Callable[[str], None]
    ways: Sequence[str] = tuple(WAYS)

    def run(self, host: Host, way: str, *arguments: object) -> Run:
        argv = [self.programs[host.name], *map(str, arguments)]
        setting = WAYS[way]
        began = time.monotonic()
        if setting is None:
            lines = list(launch(host, self.ranks, argv, LIMIT_SECONDS, under_tasuki=False))
        else:
            remarks: list[str] = []
            lines = list(launch(host, self.ranks, argv, LIMIT_SECONDS, setting, remarks=remarks))
        run = replace(parse_output(lines), whole_seconds=time.monotonic() - began)
        if setting is not None:
            check_what_ran(setting, remarks)
        return run

    def trial(self) -> Trial:
        runs: dict[str, dict[str, Run]] = {}
        for host in self.hosts:
            for way in self.ways:
                self.tell(f"{host.name}, {self.ranks} ranks: {way}, trial")
                run = self.run(host, way, self.grid, TRIAL_STEPS)
                runs.setdefault(host.name, {})[way] = run
        return Trial(runs)

    def compare(
        self, steps: Mapping[str, int], repetitions: int = REPETITIONS
    ) -> list[dict[str, Any]]:
        """A row for each host and way, of so many steps on each host; in each repetition every one
        has its turn.

        Fewer repetitions where another would take too long: a trial can mislead.
        """
        cases = [(host, way) for host in self.hosts for way in self.ways]
        runs: dict[str, dict[str, list[Run]]] = {
            host.name: {way: [] for way in self.ways} for host in self.hosts
        }
        began = time.monotonic()
        for repetition in range(1, repetitions + 1):
            for host, way in cases:
                self.tell(f"{host.name}, {self.ranks} ranks: {way}, {repetition} of {repetitions}")
                runs[host.name][way].append(self.run(host, way, self.grid, steps[host.name]))
            if (time.monotonic() - began) * (repetition + 1) / repetition > MOST_SECONDS:
                break
        return [
            row
            for name, ways in runs.items()
            for row in rows_of(name, self.ranks, self.grid, steps[name], ways)
        ]

    def field(self, trial: Trial, file: Path) -> int:
        """Writes the vorticity of a run under Tasuki, the fastest one; returns its steps."""
        seconds, name, way = min(
            (run.step_seconds, name, way)
            for name, ways in trial.runs.items()
            for way, run in ways.items()
            if way != WITHOUT
        )
        host = next(host for host in self.hosts if host.name == name)
        refinement = (FIELD_GRID / self.grid) ** 2
        expected = FIELD_STEPS * refinement * seconds
        steps = FIELD_STEPS if expected < FIELD_SECONDS else SHORTER_FIELD_STEPS
        self.tell(f"{name}: the field to draw")
        self.run(host, way, FIELD_GRID, steps, file)
        return steps


def ranks_for(cores: int) -> int:
    """The largest power of two that leaves each rank a core; two at least."""
    return max(2, min(MOST_RANKS, 1 << (cores.bit_length() - 1)))


def usual_ranks(cores: int) -> list[int]:
    """A core for each rank; and more ranks than cores, where waiting decides."""
    alone = ranks_for(cores)
    return sorted({alone, min(MOST_RANKS, CROWDED * alone)})


def grid_for(ranks: int, cores: int) -> int:
    """Points along each side: more ranks than cores solve the same problem as one a core."""
    return LINES_PER_CORE * min(ranks, ranks_for(cores))


def steps_for(step_seconds: Mapping[str, float], repetitions: int = REPETITIONS) -> int:
    """Of the runs of one host, from what a step takes by each way: the same for all ways, so that
    their answers and times can be compared. The fastest takes RUN_SECONDS, if the budget allows."""
    wanted = RUN_SECONDS / min(step_seconds.values())
    allowed = BUDGET_SECONDS / (repetitions * sum(step_seconds.values()))
    steps = min(wanted, allowed)
    rounded = round(steps, 1 - math.floor(math.log10(steps)))  # to two digits
    return min(max(int(rounded), FEWEST_STEPS), MOST_STEPS)


def rows_of(
    mpi: str, ranks: int, grid: int, steps: int, runs: dict[str, list[Run]]
) -> list[dict[str, Any]]:
    """One host's rows. `ratio_to_native` is to the host without Tasuki, by the time of the steps,
    `whole_ratio_to_native` by that of the whole job."""
    medians = {way: statistics.median(run.seconds for run in some) for way, some in runs.items()}
    whole = {
        way: statistics.median(run.whole_seconds for run in some) for way, some in runs.items()
    }
    return [
        {
            "mpi": mpi,
            "ranks": ranks,
            "grid": grid,
            "steps": steps,
            "algorithm": way,
            "repetitions": len(some),
            "median_seconds": medians[way],
            "fastest_seconds": min(run.seconds for run in some),
            "slowest_seconds": max(run.seconds for run in some),
            "transpose_seconds": statistics.median(run.transpose_seconds for run in some),
            "alltoall_seconds": statistics.median(run.alltoall_seconds for run in some),
            "whole_seconds": whole[way],
            "ratio_to_native": medians[way] / medians[WITHOUT],
            "whole_ratio_to_native": whole[way] / whole[WITHOUT],
            "checksums": sorted({run.checksum for run in some}),
        }
        for way, some in runs.items()
    ]


def summary(rows: Sequence[dict[str, Any]], trials: Mapping[int, Trial]) -> dict[str, Any]:
    """Whether the answers of each case, which is a number of ranks, agree bit for bit, and what was
    faster and what was not. `trials`: by ranks."""
    cases = [
        summary_of_case([row for row in rows if row["ranks"] == ranks], trial)
        for ranks, trial in trials.items()
    ]
    return {
        "answers_are_identical": all(case["answers_are_identical"] for case in cases),
        "cases": cases,
    }


def summary_of_case(rows: Sequence[dict[str, Any]], trial: Trial) -> dict[str, Any]:
    ranks, grid = rows[0]["ranks"], rows[0]["grid"]
    without = {row["mpi"]: row for row in rows if row["algorithm"] == WITHOUT}
    trials = trial.checksums()
    checksums = {
        steps: sorted({bits for row in rows if row["steps"] == steps for bits in row["checksums"]})
        for steps in sorted({row["steps"] for row in rows})
    }
    return {
        "ranks": ranks,
        "grid": grid,
        "steps": {mpi: row["steps"] for mpi, row in without.items()},
        "bytes_per_pair": 16 * (grid // ranks) ** 2,
        "trial_steps": TRIAL_STEPS,
        "trial_checksums": trials,
        "checksums": {str(steps): some for steps, some in checksums.items()},
        "answers_are_identical": all(len(some) == 1 for some in (trials, *checksums.values())),
        "verdicts": [
            {
                "mpi": row["mpi"],
                "algorithm": row["algorithm"],
                "verdict": verdict(row, without[row["mpi"]]),
                "ratio_to_native": row["ratio_to_native"],
                "whole_ratio_to_native": row["whole_ratio_to_native"],
            }
            for row in rows
            if row["algorithm"] != WITHOUT
        ],
    }
