"""Rooms of src/ as libraries that a benchmark's program is linked with."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from tasuki.bench.support.programs import ProgramError, project_file, run_tool

BUILD_SECONDS = 900


def built_room(room: str) -> Path:
    """The static library of a room, built for speed in build/bench of the checkout."""
    root = project_file("CMakeLists.txt").parent
    build = root / "build/bench"
    cmake = _cmake()
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DTASUKI_INTERPOSE=OFF", "-DTASUKI_TESTS=OFF"]
    run_tool([cmake, "-S", str(root), "-B", str(build), *options])
    target = [cmake, "--build", str(build), "--target", f"tasuki_{room}"]
    run_tool(target, seconds=BUILD_SECONDS)
    return build / f"src/libtasuki_{room}.a"


def _cmake() -> str:
    """The one of the virtual environment, or the machine's."""
    beside = Path(sys.prefix) / "bin"
    path = os.pathsep.join((str(beside), os.environ.get("PATH", os.defpath)))
    if found := shutil.which("cmake", path=path):
        return found
    raise ProgramError(f"cmake was found neither in {beside} nor on PATH: run `make demo` once")
