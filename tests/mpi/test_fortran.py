"""Fortran programs through each interface of MPI."""

from __future__ import annotations

import pytest
from runner import Runner, candidates


@pytest.mark.timeout(120)
@pytest.mark.parametrize("interface", ["mpif.h", "mpi", "mpi_f08"])
def test_fortran_programs_go_through_tasuki(runner: Runner, interface: str) -> None:
    if interface not in runner.host.fortran_interfaces:
        pytest.skip(f"{runner.host.name} has no {interface} here")
    name = f"fortran_{interface.removesuffix('.h')}"
    sources = [f"{name}.F90", "fortran_control.c"]
    # One name for calls with several types is what mpif.h is about.
    options = ["-fallow-argument-mismatch", "-w"]
    result = runner.compile(name, sources, options, language="fortran")
    assert result.code == 0, result.explain()
    program = runner.program_path(name)
    # The node-aware ones fall to the host on one node.
    chosen = [choice for choice in candidates() if "@" not in choice]
    for ranks in (2, 3):
        runner.native(ranks, [program, "native"]).expect_ok()
        runner.tasuki(ranks, [program, *chosen]).expect_ok()
