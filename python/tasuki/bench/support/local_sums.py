"""What exact sums cost on one rank: bench/exact_sum."""

from __future__ import annotations

import json
import os
from pathlib import Path

from tasuki.bench.support.programs import project_file, run_tool
from tasuki.bench.support.rooms import built_room

MOST_NUMBERS = 1_000_000
SECONDS = 600.0


def local_exact_over_plain(folder: Path, seconds: float) -> float:
    """The time of an exact sum over that of a plain loop, the worst from 10^4 doubles on; `seconds`
    for each case. ProgramError if it cannot be compiled or run."""
    library = built_room("reduce")
    program, results = folder / "exact-sum", folder / "exact-sum.json"
    source = str(project_file("bench/exact_sum/exact_sum.cpp"))
    flags = ["-std=c++20", "-O3", "-DNDEBUG", f"-I{project_file('src')}"]
    run_tool([os.environ.get("CXX", "c++"), *flags, source, str(library), "-o", str(program)])
    numbers = ["--most-numbers", str(MOST_NUMBERS), "--seconds", str(seconds)]
    run_tool([str(program), "--json", str(results), *numbers], seconds=SECONDS)
    return json.loads(results.read_text())["summary"]["local_exact_over_plain"]
