"""The runs of `tasuki bench program`, and its rows."""

from __future__ import annotations

import os
import resource
import shutil
import statistics
import subprocess
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tasuki.bench.support.launch import lines_of
from tasuki.bench.support.programs import ProgramError
from tasuki.bench.support.ratios import spread
from tasuki.bench.support.verdict import verdict
from tasuki.model.found import kept_files

WITHOUT, LEARNING, LEARNT = WAYS = ("without Tasuki", "learning", "learnt")
"""Natively; under Tasuki from an empty cache; and with what runs before have kept."""
STANDARD_INPUT = 0
STAND_ALONE = ("--verbose", "--check-reductions")
"""The options of `tasuki run` after which no value stands apart."""


@dataclass(frozen=True)
class Run:
    way: str
    seconds: float
    """From the start of the launcher to its end."""
    processor_seconds: float
    """Of the launcher and all that it has waited for: of this node only."""
    output: Counter[str]
    """How often each line was printed: ranks print in any order."""


def without_tasuki(command: Sequence[str]) -> list[str] | None:
    """The same command without Tasuki, also where it starts several programs; None where it is not
    in it."""
    kept: list[str] = []
    at = 0
    while at < len(command):
        if Path(command[at]).name == "tasuki" and list(command[at + 1 : at + 2]) == ["run"]:
            at = _program_at(command, at + 2)
        else:
            kept.append(command[at])
            at += 1
    return kept if len(kept) < len(command) else None


def _program_at(command: Sequence[str], at: int) -> int:
    """Where the program stands after `tasuki run`: as the launcher reads its options."""
    while at < len(command) and command[at].startswith("-"):
        word = command[at]
        if word == "--":
            return at + 1
        at += 1 if "=" in word or word in STAND_ALONE else 2
    return at


def _offset_of_standard_input() -> int | None:
    """None of a screen, a pipe, or where there is none."""
    try:
        return os.lseek(STANDARD_INPUT, 0, os.SEEK_CUR)
    except OSError:
        return None


@dataclass
class Program:
    command: Sequence[str]
    natively: Sequence[str]
    folder: Path
    """For what runs learn."""
    limit: float
    input_begins: int | None = field(default_factory=_offset_of_standard_input)
    """Where a file that was redirected to us is to be read from."""
    remarks: list[str] = field(default_factory=list)
    """What Tasuki has said, each once."""

    def run(self, way: str) -> Run:
        """ProgramError where it fails, or takes longer than the limit."""
        words, settings = self.natively, {}
        if way != WITHOUT:
            words = self.command
            settings = {"TASUKI_CACHE": str(self._cache(way)), "TASUKI_DECISIONS": "keep"}
        told: list[str] = []
        began, used = time.monotonic(), _processor_seconds()
        try:
            output = Counter(
                lines_of(
                    words,
                    f"{way}: {' '.join(words)}",
                    self.limit,
                    os.environ | settings,
                    self._standard_input(),
                    told=told,
                    in_our_session=True,
                )
            )
        except (FileNotFoundError, PermissionError) as error:
            raise ProgramError(f"{words[0]} cannot be started: {error.strerror}") from error
        run = Run(way, time.monotonic() - began, _processor_seconds() - used, output)
        said = dict.fromkeys(line for line in told if line.startswith("tasuki: "))
        self.remarks += [line for line in said if line not in self.remarks]
        return run

    def _cache(self, way: str) -> Path:
        """Where such a run finds what others have learnt, and what was measured for predictions."""
        cache = self.folder / way
        if way == LEARNING:
            shutil.rmtree(cache, ignore_errors=True)
        if not cache.exists():
            cache.mkdir()
            for file in kept_files():
                shutil.copy(file, cache)
        return cache

    def _standard_input(self) -> int:
        if self.input_begins is None:
            return subprocess.DEVNULL
        os.lseek(STANDARD_INPUT, self.input_begins, os.SEEK_SET)
        return STANDARD_INPUT


def differing_lines(one: Counter[str], other: Counter[str]) -> int:
    """Those of either that the other has not, whichever are more."""
    return max(sum((one - other).values()), sum((other - one).values()))


def _processor_seconds() -> float:
    """Of processes that have ended and been waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def rows_of(all_runs: Sequence[Run]) -> list[dict[str, Any]]:
    """One for each way that has run; ratios are of medians. None where none was without Tasuki."""
    rows: list[dict[str, Any]] = []
    first = next((run for run in all_runs if run.way == WITHOUT), None)
    if first is None:
        return rows
    for way in WAYS:
        runs = [run for run in all_runs if run.way == way]
        if not runs:
            continue
        seconds = [run.seconds for run in runs]
        row: dict[str, Any] = {
            "way": way,
            "repetitions": len(runs),
            "median_seconds": statistics.median(seconds),
            "fastest_seconds": min(seconds),
            "slowest_seconds": max(seconds),
            "spread": spread(seconds),
            "processor_seconds": statistics.median(run.processor_seconds for run in runs),
            "lines": sum(first.output.values()),
            "differing_lines": max(differing_lines(first.output, run.output) for run in runs),
            "seconds": seconds,
        }
        reference = rows[0] if rows else row
        row["ratio_to_native"] = row["median_seconds"] / reference["median_seconds"]
        row["verdict"] = None if reference is row else verdict(row, reference)
        rows.append(row)
    return rows
