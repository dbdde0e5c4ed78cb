"""Tests with real MPI programs. Every test that asks for `runner` runs on every MPI of the machine,
natively first and then under `tasuki run`."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

from runner import TESTS, Runner, find_tasuki

from tasuki.hosts import find_hosts


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what is in this folder; the hook is given every test of the run."""
    for item in items:
        if item.path.is_relative_to(TESTS):
            item.add_marker(pytest.mark.mpi)


@pytest.fixture(scope="session")
def tasuki_command() -> Path:
    """The launcher under test."""
    tasuki = find_tasuki()
    if tasuki is None:
        pytest.skip("no tasuki: set TASUKI_COMMAND, or build it")
    if not tasuki.exists():
        pytest.fail(f"TASUKI_COMMAND is {tasuki}, and there is no such file")
    return tasuki


@pytest.fixture(scope="session", params=find_hosts(), ids=lambda host: host.name)
def runner(request: pytest.FixtureRequest, tasuki_command: Path) -> Runner:
    """Compiles and runs for one MPI."""
    return Runner(request.param, tasuki_command)
