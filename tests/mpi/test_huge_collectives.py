"""Blocks and vectors of more than 2^31 bytes in collectives beside all-to-all, by fewer elements
than that and by more. A vector that is reduced takes up to 9 GB on the two ranks together."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from runner import Runner, table

COLLECTIVES = ["bcast", "allgather", "gather", "scatter", "allreduce"]
WAYS = ["numbers", "counts"]
OF_V_FORMS = "padded-binomial"
FAULTS = {("mpich-debian", "scatter"): "MPICH 4.0 ends in a segmentation fault"}
"""Of hosts themselves, which then run the algorithms of Tasuki only."""


def program_for(runner: Runner, way: str) -> Path:
    name = f"huge_collectives_{way}"
    options = ["-DHAVE_LARGE_COUNTS"] if way == "counts" else []
    result = runner.compile(name, ["huge_collectives.c"], options)
    if result.code != 0 and re.search(r"MPI_\w+_c\b", result.output):
        pytest.skip(f"{runner.host.name} {runner.host.version} has no calls with large counts")
    assert result.code == 0, result.explain()
    return runner.program_path(name)


def choices(collective: str, way: str) -> list[str]:
    """Every second row, the other ones for the other way, and the first of them by memory."""
    names = [
        row["name"]
        for row in table(collective)
        if "several-nodes" not in row["domain"] and row["name"] != OF_V_FORMS
    ]
    chosen = names[WAYS.index(way) :: len(WAYS)]
    return [f"{collective}/{name}" for name in [*chosen, f"{chosen[0]}:carrier=memory"]]


@pytest.mark.slow
@pytest.mark.timeout(700)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("collective", COLLECTIVES)
def test_blocks_over_two_gibibytes(runner: Runner, collective: str, way: str) -> None:
    program = program_for(runner, way)
    native = f"{collective}/native"
    has_fault = (runner.host.name, collective) in FAULTS
    if not has_fault:
        runner.native(2, [program, way, native], seconds=200).expect_ok()
    chosen = [*([] if has_fault else [native]), *choices(collective, way)]
    runner.tasuki(2, [program, way, *chosen], seconds=450).expect_ok()


@pytest.mark.slow
@pytest.mark.timeout(200)
def test_an_exact_sum_over_two_gibibytes(runner: Runner) -> None:
    program = program_for(runner, "numbers")
    settings = {"TASUKI_REPRODUCIBLE": "exact"}
    result = runner.tasuki(2, [program, "numbers", "allreduce/auto"], settings, seconds=150)
    result.expect_ok()
