"""Random calls of every collective, by every row of the table and by learning, against the answers
of the host itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from runner import Runner, choices_of, setting_of, table

SOURCES = ["collectives_forms.c", "collectives_moving.c", "collectives_reducing.c"]
MOVING = ["barrier", "bcast", "allgather", "gather", "scatter", "alltoallv"]
REDUCING = ["allreduce", "reduce", "scan", "exscan", "reduce-scatter"]
COLLECTIVES = [*MOVING, *REDUCING]
CALLS = 12
"""Of each choice and each MPI call of the collective."""
FEW_CALLS = 4
"""The same, where ranks that wait spin and there are more than cores."""


def choices(collective: str) -> list[str]:
    """COLLECTIVE/CHOICE for every row, with two values of its first parameter and with messages
    inside nodes by memory, and learning."""
    found = [f"{collective}/auto:kept=0"]
    for row in table(collective):
        found += [f"{collective}/{choice}" for choice in choices_of(row)]
        found.append(f"{collective}/{row['name']}:carrier=memory")
    return found


@pytest.mark.timeout(120)
@pytest.mark.parametrize("ranks", [1, 2, 3, 5])
def test_answers_of_every_row(runner: Runner, ranks: int) -> None:
    program = runner.program("collectives", *SOURCES)
    arguments = [choice for collective in COLLECTIVES for choice in choices(collective)]
    calls = CALLS
    if runner.spins and ranks > 2:
        calls = FEW_CALLS
        arguments = [choice for choice in arguments if "=" not in choice or "auto" in choice]
    settings = {"TASUKI_PLACEMENT": ",".join(str(rank % 2) for rank in range(ranks))}
    result = runner.tasuki(ranks, [program, "11", str(calls), *arguments], settings, seconds=100)
    result.expect_ok()


@pytest.mark.timeout(60)
@pytest.mark.parametrize("ranks", [2, 4, 5])
def test_blocks_that_do_not_fit_into_the_agreed_room(runner: Runner, ranks: int) -> None:
    program = runner.program("collectives", *SOURCES)
    rows = [
        f"{collective}/{row['name']}"
        for collective in MOVING
        for row in table(collective)
        if "capacity" in row.get("needs", [])
    ]
    assert len(rows) == 3
    arguments = [row + carrier for row in rows for carrier in ("", ":carrier=memory")]
    # The ranks agree at calls 1, 2, 4, 8, ... of a communicator; sizes are others in every call.
    calls = 15 if runner.spins else 60
    runner.tasuki(ranks, [program, "23", str(calls), *arguments]).expect_ok()


@pytest.mark.timeout(60)
@pytest.mark.parametrize("carrier", ["host", "memory"])
def test_only_what_does_not_fit_costs_more_messages(
    runner: Runner, carrier: str, tmp_path: Path
) -> None:
    program = runner.program("heads_and_tails")
    sent = {}
    for larger in (5, 8, 9, 900):
        report = tmp_path / f"{larger}.json"
        settings = {
            "TASUKI_COLLECTIVES": "native",
            "TASUKI_ALLTOALLV": f"bruck:carrier={carrier}",
            "TASUKI_GATHER": f"padded-binomial:carrier={carrier}",
            "TASUKI_SCATTER": f"padded-binomial:carrier={carrier}",
            "TASUKI_REPORT": str(report),
        }
        runner.tasuki(4, [program, str(larger)], settings).expect_ok()
        sent[larger] = sum(
            path["messages"]
            for communicator in json.loads(report.read_text())["communicators"]
            for path in communicator["traffic"]["paths"].values()
        )
    # Each rank sends in two rounds, and all but the root up or down the tree; then a tail a block.
    heads = 16 * (4 * 2 + 3 + 3)
    tails = 2 * (4 * 3 + 3 + 3)
    assert sent == {5: heads, 8: heads, 9: heads + tails, 900: heads + tails}


@pytest.mark.timeout(60)
def test_large_count_bindings(runner: Runner) -> None:
    sources = ["collectives.c", *SOURCES]
    if runner.compile("collectives_large", sources, ["-DLARGE_COUNTS"]).code != 0:
        pytest.skip(f"{runner.host.name} {runner.host.version} has no calls with large counts")
    program = runner.program_path("collectives_large")
    arguments = [f"{name}/{table(name)[0]['name']}" for name in COLLECTIVES]
    runner.tasuki(3, [program, "7", str(CALLS), *arguments]).expect_ok()


def first_rows() -> dict[str, str]:
    """The setting of each collective that has it run by the first row of the table."""
    return {setting_of(name): table(name)[0]["name"] for name in (*COLLECTIVES, "alltoall")}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("interface", ["mpi", "mpi_f08"])
def test_fortran(runner: Runner, interface: str) -> None:
    if interface not in runner.host.fortran_interfaces:
        pytest.skip(f"{runner.host.name} has no {interface} here")
    name = f"fortran_collectives_{interface}"
    options = ["-fallow-argument-mismatch", "-w", f"-DUSE_{interface.upper()}"]
    sources = ["fortran_collectives.F90", "fortran_control.c"]
    result = runner.compile(name, sources, options, language="fortran")
    assert result.code == 0, result.explain()
    program = runner.program_path(name)
    runner.native(3, [program]).expect_ok()
    runner.tasuki(3, [program], first_rows()).expect_ok()


@pytest.mark.timeout(60)
def test_fortran_in_fixed_form(runner: Runner) -> None:
    if "mpif.h" not in runner.host.fortran_interfaces:
        pytest.skip(f"{runner.host.name} has no mpif.h here")
    name = "fortran_mpif_collectives"
    options = ["-fallow-argument-mismatch", "-w"]
    result = runner.compile(name, [f"{name}.f", "fortran_control.c"], options, language="fortran")
    assert result.code == 0, result.explain()
    program = runner.program_path(name)
    for ranks in (2, 3):
        runner.native(ranks, [program]).expect_ok()
        runner.tasuki(ranks, [program], first_rows()).expect_ok()


@pytest.mark.timeout(60)
def test_the_program_is_right_without_tasuki(runner: Runner) -> None:
    program = runner.program("collectives", *SOURCES)
    arguments = [f"{collective}/native" for collective in COLLECTIVES]
    runner.native(3, [program, "5", str(CALLS), *arguments]).expect_ok()
