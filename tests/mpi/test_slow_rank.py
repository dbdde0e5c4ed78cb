"""A rank that is slow by 10 ms now and then does not change decisions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from runner import Runner

CALLS, SIZES = 1000, 6


@pytest.mark.timeout(100)
def test_a_rank_that_is_slow_now_and_then_changes_no_decision(
    runner: Runner, tmp_path: Path
) -> None:
    """By a clock that the machine has no part in: real ranks, messages and agreements, but what
    calls take is the same in each run. Without memory two ranks have two candidates, the host's
    own and one exchange, which takes 0.5 ms in the mean over the ranks; the host's own takes 0.7 ms
    and a call with the slow rank 5 ms more. On another communicator no rank is ever slow."""
    clock = runner.compile("libvirtual_clock.so", ["virtual_clock.c"], ["-shared", "-fPIC"])
    assert clock.code == 0, clock.explain()
    report = tmp_path / "report.json"
    settings = {
        "TASUKI_ALLTOALL": "auto:model=0,kept=0",
        "TASUKI_MEMORY": "off",
        "TASUKI_REPORT": str(report),
        "LD_PRELOAD": str(runner.program_path("libvirtual_clock.so")),
    }
    runner.tasuki(2, [runner.program("slow_rank"), str(CALLS)], settings, seconds=90).expect_ok()
    sizes = [
        size
        for communicator in json.loads(report.read_text())["communicators"]
        for size in communicator["sizes"]
        if size["collective"] == "alltoall"
    ]
    assert [size["calls"] for size in sizes] == [CALLS] * 2 * SIZES
    for size in sizes:
        learnt = size["learnt"]
        assert learnt["phase"] == "running", learnt
        assert learnt["winner"] != "native", learnt
        assert learnt["relearnings"] == 0, learnt
        assert learnt["common_drifts"] == 0, learnt
        native, other = learnt["candidates"]
        # The clock was the one that was made for it.
        assert native["measured_seconds"] == pytest.approx(0.7e-3, rel=0.05), learnt
        assert other["measured_seconds"] == pytest.approx(0.5e-3, rel=0.05), learnt
    assert len({size["learnt"]["winner"] for size in sizes}) == 1
