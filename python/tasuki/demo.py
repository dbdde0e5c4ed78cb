"""The demonstration: a program that knows nothing of Tasuki, natively and through it.

examples/spectral is compiled for each host and run in turn without Tasuki and with several
algorithms forced; it must give the same bits each time.
"""

from __future__ import annotations

import re
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tasuki.bench.support.launch import launch
from tasuki.bench.support.programs import ProgramError, compile_program, project_file
from tasuki.hosts import Host

WITHOUT = "without Tasuki"
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
FEWEST_FOR_VERDICT = 4
"""Of equals, all of 4 runs are slower than all of 4 others once in 35 cases; of 3, once in 10."""
TRIAL_STEPS = 200
"""Enough for what the first calls make and learn not to count for most."""
FEWEST_STEPS, MOST_STEPS = 10, 10_000
BUDGET_SECONDS = 25.0
"""What all runs of a case may take on one host, without the time that jobs need to start."""
MOST_SECONDS = 120.0
"""What they may take at most, with starting."""
FIELD_GRID, FIELD_STEPS, SHORTER_FIELD_STEPS = 128, 400, 100
"""The run whose result is drawn; the shorter one where even that would take long."""
FIELD_SECONDS = 10.0
LIMIT_SECONDS = 300.0


@dataclass(frozen=True)
class Run:
    """What the program told. Seconds are those of its slowest rank."""

    seconds: float
    transpose_seconds: float
    alltoall_seconds: float
    checksum: str


def parse_output(lines: Sequence[str]) -> Run:
    """What examples/spectral printed; ProgramError if something is missing."""
    words = [line.split() for line in lines]
    told = {line[0]: line[1] for line in words if len(line) > 1}
    try:
        seconds = [float(told[name]) for name in ("run", "transposes", "alltoall")]
        return Run(*seconds, checksum=told["checksum"])
    except (KeyError, ValueError) as error:
        raise ProgramError(f"the example printed something unexpected: {error}") from error


def compile_example(host: Host, folder: Path) -> Path:
    sources = sorted(project_file("examples/spectral").glob("*.c"))
    return compile_program(host, sources, folder / f"spectral-{host.name}", ["-lm"])


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
        if setting is None:
            lines = launch(host, self.ranks, argv, LIMIT_SECONDS, under_tasuki=False)
            return parse_output(list(lines))
        remarks: list[str] = []
        lines = launch(host, self.ranks, argv, LIMIT_SECONDS, setting, remarks=remarks)
        run = parse_output(list(lines))
        check_what_ran(setting, remarks)
        return run

    def seconds_per_step(self) -> dict[str, dict[str, float]]:
        """Of a short run, by host and way: some hosts are many times slower by some algorithms
        where ranks share cores."""
        found: dict[str, dict[str, float]] = {}
        for host in self.hosts:
            for way in self.ways:
                self.tell(f"{host.name}, {self.ranks} ranks: {way}, trial")
                seconds = self.run(host, way, self.grid, TRIAL_STEPS).seconds
                found.setdefault(host.name, {})[way] = seconds / TRIAL_STEPS
        return found

    def compare(self, steps: int, repetitions: int = REPETITIONS) -> list[dict[str, Any]]:
        """A row for each host and way; in each repetition every one has its turn.

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
                runs[host.name][way].append(self.run(host, way, self.grid, steps))
            if (time.monotonic() - began) * (repetition + 1) / repetition > MOST_SECONDS:
                break
        return [
            row for name, ways in runs.items() for row in rows_of(name, self.ranks, self.grid, ways)
        ]

    def field(self, pace: dict[str, dict[str, float]], file: Path) -> int:
        """Writes the vorticity of a run under Tasuki, the fastest one; returns its steps."""
        name, way = min(
            ((name, way) for name in pace for way in self.ways if way != WITHOUT),
            key=lambda pair: pace[pair[0]][pair[1]],
        )
        host = next(host for host in self.hosts if host.name == name)
        refinement = (FIELD_GRID / self.grid) ** 2
        expected = FIELD_STEPS * refinement * pace[name][way]
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


def steps_for(pace: dict[str, dict[str, float]], repetitions: int = REPETITIONS) -> int:
    """The same for all hosts and ways, so that their answers can be compared."""
    step = repetitions * max(sum(ways.values()) for ways in pace.values())
    wanted = BUDGET_SECONDS / step
    rounded = int(round(wanted, -1 if wanted < 100 else -2))
    return min(max(rounded, FEWEST_STEPS), MOST_STEPS)


def rows_of(mpi: str, ranks: int, grid: int, runs: dict[str, list[Run]]) -> list[dict[str, Any]]:
    """One host's rows; `ratio_to_native` is to the host without Tasuki."""
    medians = {way: statistics.median(run.seconds for run in some) for way, some in runs.items()}
    return [
        {
            "mpi": mpi,
            "ranks": ranks,
            "grid": grid,
            "algorithm": way,
            "repetitions": len(some),
            "median_seconds": medians[way],
            "fastest_seconds": min(run.seconds for run in some),
            "slowest_seconds": max(run.seconds for run in some),
            "transpose_seconds": statistics.median(run.transpose_seconds for run in some),
            "alltoall_seconds": statistics.median(run.alltoall_seconds for run in some),
            "ratio_to_native": medians[way] / medians[WITHOUT],
            "checksums": sorted({run.checksum for run in some}),
        }
        for way, some in runs.items()
    ]


def verdict(row: dict[str, Any], without: dict[str, Any]) -> str:
    """Faster or slower only where not even the closest of enough runs overlap."""
    if min(row["repetitions"], without["repetitions"]) < FEWEST_FOR_VERDICT:
        return "too few runs to tell"
    if row["slowest_seconds"] < without["fastest_seconds"]:
        return "faster"
    if row["fastest_seconds"] > without["slowest_seconds"]:
        return "slower"
    return "no clear difference"


def summary(rows: Sequence[dict[str, Any]], steps: Mapping[int, int]) -> dict[str, Any]:
    """Whether the answers of each case, which is a number of ranks, agree bit for bit, and what was
    faster and what was not. `steps`: by ranks."""
    cases = [
        summary_of_case([row for row in rows if row["ranks"] == ranks], taken)
        for ranks, taken in steps.items()
    ]
    return {
        "answers_are_identical": all(case["answers_are_identical"] for case in cases),
        "cases": cases,
    }


def summary_of_case(rows: Sequence[dict[str, Any]], steps: int) -> dict[str, Any]:
    ranks, grid = rows[0]["ranks"], rows[0]["grid"]
    without = {row["mpi"]: row for row in rows if row["algorithm"] == WITHOUT}
    checksums = sorted({checksum for row in rows for checksum in row["checksums"]})
    return {
        "ranks": ranks,
        "grid": grid,
        "steps": steps,
        "bytes_per_pair": 16 * (grid // ranks) ** 2,
        "checksums": checksums,
        "answers_are_identical": len(checksums) == 1,
        "verdicts": [
            {
                "mpi": row["mpi"],
                "algorithm": row["algorithm"],
                "verdict": verdict(row, without[row["mpi"]]),
                "ratio_to_native": row["ratio_to_native"],
            }
            for row in rows
            if row["algorithm"] != WITHOUT
        ],
    }
