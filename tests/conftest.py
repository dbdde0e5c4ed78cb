"""What holds for all Python tests."""

from __future__ import annotations

from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
FOLDERS_WITH_MPI_PROGRAMS = ("mpi", "launcher", "bench", "examples")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what starts MPI programs by its folder, so that `make check` can leave it out."""
    for item in items:
        if item.path.relative_to(TESTS).parts[0] in FOLDERS_WITH_MPI_PROGRAMS:
            item.add_marker(pytest.mark.mpi)
