"""Rooms of src/ as libraries that a benchmark's program is linked with."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from tasuki.bench.support.programs import ProgramError, project_file, run_tool

BUILD_SECONDS = 900
AS_INSTALLED = ("-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=24")
"""Files are compiled together, as pyproject.toml has it for what is installed."""


def built_room(room: str) -> Path:
    """The static library of a room, built for speed in build/bench of the checkout."""
    root = project_file("CMakeLists.txt").parent
    build = root / "build/bench"
    cmake = _cmake()
    options = ["-DCMAKE_BUILD_TYPE=Release", "-DTASUKI_INTERPOSE=OFF", "-DTASUKI_TESTS=OFF"]
    run_tool([cmake, "-S", str(root), "-B", str(build), *options, *AS_INSTALLED])
    target = [cmake, "--build", str(build), "--target", f"tasuki_{room}"]
    run_tool(target, seconds=BUILD_SECONDS)
    return build / f"src/libtasuki_{room}.a"


def compile_with_memory(source: Path, output: Path, optimisation: str) -> Path:
    """Makes the C++ program `output` of a file and the memory transport, and returns it. All are
    compiled together, as what is installed is, and in a third of the time."""
    room = sorted(project_file("src/transport/memory").glob("*.cpp"))
    # What the step machine adds lies outside of what is timed.
    parts = [source, *(path for path in room if path.name != "memory_transport.cpp")]
    together = output.with_name(f"{output.name}.cpp")
    together.write_text("".join(f'#include "{path}"\n' for path in parts))
    options = ["-std=c++20", optimisation, f"-I{project_file('src')}"]
    run_tool(["c++", *options, str(together), "-o", str(output)])
    return output


def _cmake() -> str:
    """The one of the virtual environment, or the machine's."""
    beside = Path(sys.prefix) / "bin"
    path = os.pathsep.join((str(beside), os.environ.get("PATH", os.defpath)))
    if found := shutil.which("cmake", path=path):
        return found
    raise ProgramError(f"cmake was found neither in {beside} nor on PATH: run `make demo` once")
