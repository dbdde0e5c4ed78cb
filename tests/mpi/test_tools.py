"""Tools of the profiling interface, and buffers in device memory."""

from __future__ import annotations

from pathlib import Path

import pytest
from runner import Runner, candidates, rows


@pytest.mark.timeout(60)
def test_preloaded_tool_sees_what_passes_to_the_host(runner: Runner) -> None:
    """It comes after Tasuki: calls that Tasuki does itself are not the host's."""
    result = runner.compile("libtool.so", ["tool.c"], ["-shared", "-fPIC"])
    assert result.code == 0, result.explain()
    tool = {"LD_PRELOAD": str(runner.program_path("libtool.so"))}
    program = runner.program("tooled")
    result = runner.tasuki(2, [program, "preloaded", *candidates()], tool)
    result.expect_ok()


@pytest.mark.timeout(60)
def test_linked_tool_sees_every_call(runner: Runner) -> None:
    """It comes before Tasuki, and calls the host by PMPI_Alltoall, past Tasuki."""
    result = runner.compile("tooled_linked", ["tooled.c", "tool.c"], ["-rdynamic"])
    assert result.code == 0, result.explain()
    runner.both(2, [runner.program_path("tooled_linked"), "linked"])


@pytest.mark.timeout(60)
def test_preloaded_tool_may_communicate(runner: Runner) -> None:
    """What it calls is a call of its own: learning goes on with the one that it is in."""
    result = runner.compile("libcalling_tool.so", ["calling_tool.c"], ["-shared", "-fPIC"])
    assert result.code == 0, result.explain()
    settings = {
        "LD_PRELOAD": str(runner.program_path("libcalling_tool.so")),
        "TASUKI_COLLECTIVES": "auto:kept=0",
    }
    program = runner.program("unusual", options=["-lm"])
    runner.tasuki(2, [program, "rounds"], settings).expect_ok()


def fake_cuda(runner: Runner, file: str = "libcuda.so.1") -> Path:
    options = ["-shared", "-fPIC", "-Wl,-soname,libcuda.so.1"]
    result = runner.compile(file, ["fake_cuda.c"], options)
    assert result.code == 0, result.explain()
    return runner.program_path(file)


@pytest.mark.timeout(90)
@pytest.mark.parametrize(
    ("ranks", "file"), [(1, "libcuda.so.1"), (3, "libcuda.so.1"), (2, "by_another_name.so")]
)
def test_device_memory_passes_to_the_host(runner: Runner, ranks: int, file: str) -> None:
    """A runtime is known by the name that it gives itself, too."""
    arguments = [runner.program("device"), fake_cuda(runner, file)]
    # A host that asks the fake runtime for more than it knows is of no use here.
    native = runner.native(ranks, [*arguments, "native"])
    if native.code != 0:
        pytest.skip(f"{runner.host.name} does not run with the fake runtime: {native.explain()}")
    runner.tasuki(ranks, [*arguments, *candidates()]).expect_ok()


@pytest.mark.timeout(90)
def test_device_memory_passes_to_the_host_in_every_collective(runner: Runner) -> None:
    arguments = [runner.program("device_collectives"), fake_cuda(runner)]
    native = runner.native(3, arguments)
    if native.code != 0:
        pytest.skip(f"{runner.host.name} does not run with the fake runtime: {native.explain()}")
    runner.tasuki(3, arguments).expect_ok()


@pytest.mark.timeout(90)
@pytest.mark.parametrize("ranks", [1, 3, 4])
def test_device_memory_that_one_rank_has_late(runner: Runner, ranks: int) -> None:
    """Its buffers are copied by the host, on that rank alone, and Tasuki runs."""
    program = runner.program("late_device", options=["-rdynamic"])
    arguments = [program, fake_cuda(runner)]
    runner.native(ranks, [*arguments, "native"]).expect_ok()
    # On four ranks of two nodes all are within their domains that need no fabric.
    known = [choice for choice in rows() if "known-routes" not in choice]
    chosen = [choice for choice in known if ranks == 4 or "@" not in choice]
    runner.tasuki(ranks, [*arguments, *chosen], {"TASUKI_PLACEMENT": "2"}).expect_ok()
