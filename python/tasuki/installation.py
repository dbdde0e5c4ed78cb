"""Where Tasuki's own native parts lie: the launcher, and the libraries to put before an MPI."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

ABIS = ("openmpi", "mpich", "mpi-abi")


def launcher() -> Path | None:
    """The command `tasuki`: $TASUKI_COMMAND, else of this Python's environment, else on PATH."""
    if named := os.environ.get("TASUKI_COMMAND"):
        return Path(named) if Path(named).is_file() else None
    beside = Path(sys.prefix) / "bin/tasuki"
    if beside.is_file():
        return beside
    found = shutil.which("tasuki")
    return Path(found) if found else None


def include_folder(command: Path) -> Path | None:
    """Where tasuki.h and the module tasuki.f90 lie that belong to the launcher `command`: of an
    installation or, where it was built in a checkout, in that."""
    folder = command.resolve().parent
    places = (folder.parent / "include/tasuki", *(up / "interpose" for up in folder.parents))
    return next((place for place in places if (place / "tasuki.h").is_file()), None)


def libraries(command: Path) -> dict[str, Path]:
    """The libraries that the launcher `command` finds, by ABI."""
    folder = command.resolve().parent
    places = (folder, folder.parent / "lib/tasuki", folder.parent / "interpose")
    found = {}
    for abi in ABIS:
        files = [place / f"libtasuki-{abi}.so" for place in places]
        if file := next((file for file in files if file.is_file()), None):
            found[abi] = file
    return found
