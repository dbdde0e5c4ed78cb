"""Calls of v- and w-forms that come again while their arrays change: Tasuki does not look up again
what they run by, and reads the arrays of each."""

from __future__ import annotations

from pathlib import Path

import pytest
from runner import Runner, setting_of, table

ARRAYS = ("gather", "scatter", "allgather", "alltoallv", "reduce-scatter")


def rows_of(number: int, carrier: str) -> dict[str, str]:
    """The setting of each collective that has it run by its row of this number, or the last."""
    settings = {}
    for collective in ARRAYS:
        # Those of trees carry blocks through ranks that must be told how large they are.
        rows = [row for row in table(collective) if is_for_arrays(collective, row)]
        name = rows[min(number, len(rows) - 1)]["name"]
        settings[setting_of(collective)] = f"{name}:carrier={carrier}"
    return settings


def is_for_arrays(collective: str, row: dict) -> bool:
    if row.get("domain"):
        return False
    return collective not in ("gather", "scatter", "alltoallv") or "sizes" not in row.get(
        "needs", []
    )


def most_rows() -> int:
    return max(len(table(collective)) for collective in ARRAYS)


def calls_for(runner: Runner, ranks: int) -> str:
    return "50" if runner.spins and ranks > 2 else "200"


@pytest.mark.timeout(150)
@pytest.mark.parametrize("carrier", ["host", "memory"])
@pytest.mark.parametrize("ranks", [2, 3])
def test_every_row_reads_the_arrays_of_each_call(runner: Runner, ranks: int, carrier: str) -> None:
    program = runner.program("known_arrays")
    for number in range(most_rows()):
        settings = rows_of(number, carrier)
        command = [program, calls_for(runner, ranks), "known"]
        runner.tasuki(ranks, command, settings, seconds=60).expect_ok()


@pytest.mark.timeout(100)
@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_while_learning(runner: Runner, ranks: int, tmp_path: Path) -> None:
    settings = {"TASUKI_COLLECTIVES": "auto", "TASUKI_CACHE": str(tmp_path)}
    command = [runner.program("known_arrays"), "50" if ranks > 2 else "1000"]
    runner.tasuki(ranks, command, settings, seconds=90).expect_ok()


@pytest.mark.timeout(60)
def test_the_program_is_right_without_tasuki(runner: Runner) -> None:
    runner.native(3, [runner.program("known_arrays"), "50"]).expect_ok()


@pytest.mark.timeout(60)
@pytest.mark.parametrize("ranks", [2, 3])
def test_fortran(runner: Runner, ranks: int) -> None:
    program = runner.fortran_program("known_arrays.f90")
    runner.native(ranks, [program]).expect_ok()
    runner.tasuki(ranks, [program], rows_of(0, "host")).expect_ok()


@pytest.mark.timeout(100)
@pytest.mark.parametrize("way", ["auto", "rows"])
def test_types_that_do_not_count_may_be_none(runner: Runner, way: str, tmp_path: Path) -> None:
    """What comes again is known by predefined types: those that nothing goes by are not asked."""
    settings = {"TASUKI_COLLECTIVES": "auto", "TASUKI_CACHE": str(tmp_path)}
    if way == "rows":
        settings |= rows_of(0, "host") | {"TASUKI_ALLTOALL": "spread"}
    command = [runner.program("unused_types"), "1000"]
    runner.native(2, command).expect_ok()
    runner.tasuki(2, command, settings, seconds=90).expect_ok()
