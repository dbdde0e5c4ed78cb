"""Many random calls of all collectives by several threads, on communicators that come and go,
against the answers of the host itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from runner import Runner
from test_collectives import SOURCES, first_rows

AUTO = {"TASUKI_COLLECTIVES": "auto:kept=0"}


def settings_of(kind: str) -> dict[str, str]:
    """What all collectives run by; sums are of whole numbers, which are exact in any order."""
    if kind == "auto":
        return AUTO
    if kind in ("placement", "exact"):
        return {**AUTO, "TASUKI_REPRODUCIBLE": kind}
    return {name: f"{row}:carrier=memory" for name, row in first_rows().items()}


def stress(runner: Runner, kind: str, ranks: int, calls: int, seed: int, cache: Path) -> None:
    program = runner.program("stress", *SOURCES)
    settings = {**settings_of(kind), "TASUKI_CACHE": str(cache)}
    arguments = [program, str(seed), str(calls), "2"]
    result = runner.tasuki(ranks, arguments, settings, seconds=50 + calls / 50)
    print(result.output)
    result.expect_ok()


@pytest.mark.timeout(100)
@pytest.mark.parametrize("kind", ["auto", "memory", "placement", "exact"])
def test_two_thousand_calls(runner: Runner, kind: str, tmp_path: Path) -> None:
    stress(runner, kind, 3, 700 if kind == "exact" else 650, 20261122, tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(2500)
@pytest.mark.parametrize("kind", ["auto", "memory", "placement", "exact"])
def test_a_hundred_thousand_calls(runner: Runner, kind: str, tmp_path: Path) -> None:
    stress(runner, kind, 4, 100_000, 4, tmp_path)
