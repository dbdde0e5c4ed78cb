"""examples/reproducible, the program of the article on reproducibility: P ranks give 2^-60 each,
but one gives 1 and the next -1. What it must print is written here once, for all hosts."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from runner import ROOT, Result, Runner

from tasuki.hosts import find_hosts

SOURCE = ROOT / "examples/reproducible/conditional.f90"
FORTRAN_HOSTS = [host for host in find_hosts() if host.has_fortran]


def program_of(runner: Runner) -> list[Path]:
    return [runner.fortran_program(str(SOURCE))]


def bits_in(result: Result) -> list[list[str]]:
    """Of each call, the bits of the first, the middle and the last element."""
    assert result.code == 0, result.explain()
    assert "different bits" not in result.output, result.explain()
    lines = [line.split() for line in result.output.splitlines()]
    found = [line[3::2] for line in lines if line[:1] in (["allreduce"], ["reduce"])]
    assert [len(line) for line in found] == [3] * 6, result.explain()
    return found


def expect_all(result: Result, multiple: int) -> None:
    """Every element of every call is `multiple` times 2^-60."""
    expected = struct.pack(">d", multiple * 2.0**-60).hex().upper()
    assert {bits for line in bits_in(result) for bits in line} == {expected}, result.explain()


def expect_sums(runner: Runner, ranks: int, placements: list[str], seconds: float) -> None:
    program = program_of(runner)
    # The canonical tree: 1 and -1 meet in the left half, and the right half is added to 0.
    for mode, multiple in (("placement", ranks // 2), ("exact", ranks - 2)):
        for placement in placements if mode == "placement" else placements[:1]:
            settings = {"TASUKI_REPRODUCIBLE": mode, "TASUKI_PLACEMENT": placement}
            expect_all(runner.tasuki(ranks, program, settings, seconds), multiple)


def shuffled(ranks: int, nodes: int) -> str:
    """A node for each rank, without any order: 7 is no divisor of their number."""
    return ",".join(str((7 * rank + rank // 5) % nodes) for rank in range(ranks))


@pytest.mark.timeout(150)
def test_16_ranks(runner: Runner) -> None:
    expect_sums(runner, 16, ["4x4", shuffled(16, 4)], 60)


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_64_ranks(runner: Runner) -> None:
    expect_sums(runner, 64, ["4x16", "2x32", "1x64", shuffled(64, 4), shuffled(64, 2)], 200)


@pytest.mark.skipif(not FORTRAN_HOSTS, reason="no MPI here has a Fortran compiler")
@pytest.mark.timeout(150)
def test_hosts_alone_give_other_bits(tasuki_command: Path) -> None:
    """Without Tasuki: on one host at least, already on one node, from call to call."""
    found = {}
    for host in FORTRAN_HOSTS:
        runner = Runner(host, tasuki_command)
        found[host.name] = bits_in(runner.native(16, program_of(runner)))
    assert any(len({bits for line in lines for bits in line}) > 1 for lines in found.values()), (
        found
    )
