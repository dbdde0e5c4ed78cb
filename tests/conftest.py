"""What holds for all Python tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tasuki.temporary import temporary_folder

TESTS = Path(__file__).resolve().parent
FOLDERS_WITH_MPI_PROGRAMS = ("mpi", "launcher", "bench", "examples")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what starts MPI programs by its folder, so that `make check` can leave it out."""
    for item in items:
        if item.path.relative_to(TESTS).parts[0] in FOLDERS_WITH_MPI_PROGRAMS:
            item.add_marker(pytest.mark.mpi)


@pytest.fixture(autouse=True)
def launchers_keep_their_files_apart(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Open MPI's mpiexec keeps a folder that is named by its process number. One that is killed
    leaves it, and who gets that number later does not start: "The PMIx server's listener thread
    failed to start" (openpmix issue 4022)."""
    with temporary_folder(ignore_cleanup_errors=True) as folder:
        for variable in ("PRTE_MCA_prte_tmpdir_base", "OMPI_MCA_orte_tmpdir_base"):
            monkeypatch.setenv(variable, folder)
        yield
