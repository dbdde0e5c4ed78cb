"""What the preloaded libraries show and need, read from the files themselves."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
LIBRARY_NAMES = ["openmpi", "mpich", "mpi-abi"]


def library(abi: str) -> Path:
    """The library that was built or installed last, without sanitizers."""
    name = f"libtasuki-{abi}.so"
    candidates = [
        path
        for path in REPOSITORY.glob(f"build/*/interpose/{name}")
        if not path.parents[1].name.endswith("san")
    ]
    candidates += REPOSITORY.glob(f".venv/lib/tasuki/{name}")
    if not candidates:
        pytest.skip(f"{name} is not built: no headers of this ABI in .mpi")
    return max(candidates, key=lambda path: path.stat().st_mtime)


@pytest.mark.parametrize("abi", LIBRARY_NAMES)
def test_every_symbol_of_the_host_is_weak(abi: str) -> None:
    undefined = subprocess.run(
        ["nm", "-D", "--undefined-only", library(abi)], capture_output=True, text=True, check=True
    ).stdout
    strong = re.findall(r" U ((?:PMPI|MPI|mpi|ompi)_\S*)", undefined, re.IGNORECASE)
    assert strong == [], "add them to src/transport/host/weak_host_symbols.inc"


@pytest.mark.parametrize("abi", LIBRARY_NAMES)
def test_only_entry_points_are_exported(abi: str) -> None:
    exported = subprocess.run(
        ["nm", "-D", "--defined-only", library(abi)], capture_output=True, text=True, check=True
    ).stdout
    names = [line.split()[-1] for line in exported.splitlines()]
    assert "MPI_Alltoall" in names
    assert [name for name in names if not re.match("MPI_|mpi_|tasuki_", name)] == []


@pytest.mark.parametrize("abi", LIBRARY_NAMES)
def test_nothing_but_the_c_library_is_linked(abi: str) -> None:
    needed = subprocess.run(
        ["readelf", "-d", library(abi)], capture_output=True, text=True, check=True
    ).stdout
    libraries = re.findall(r"\(NEEDED\).*\[(.*)\]", needed)
    allowed = re.compile(r"lib(c|m|stdc\+\+|gcc_s)\.so|ld-linux")
    assert [name for name in libraries if not allowed.match(name)] == []


@pytest.mark.parametrize("abi", LIBRARY_NAMES)
def test_a_process_without_mpi_runs_as_ever(abi: str) -> None:
    environment = dict(os.environ, LD_PRELOAD=str(library(abi)), LD_BIND_NOW="1")
    done = subprocess.run(["/bin/echo", "here"], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "here\n", "")
