"""Compiling the project's own MPI programs for a host."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tasuki.hosts import Host

C_OPTIONS = ("-std=gnu11", "-O2", "-Wall", "-Wextra")
COMPILE_SECONDS = 120


class ProgramError(Exception):
    """A program could not be found, compiled or run; the text tells users why."""


def project_file(path: str) -> Path:
    """A file or folder of the checkout: of this source tree, or beside the virtual environment."""
    roots = (Path(__file__).resolve().parents[4], Path(sys.prefix).parent, Path.cwd())
    for root in roots:
        if (root / "algorithms.toml").is_file() and (root / path).exists():
            return root / path
    looked = ", ".join(str(root) for root in dict.fromkeys(roots))
    raise ProgramError(
        f"{path} was not found; looked in {looked}. Start this command in a checkout of Tasuki"
    )


def compile_program(
    host: Host, sources: Sequence[Path], output: Path, options: Sequence[str] = ()
) -> Path:
    """Makes the C program `output` for `host` and returns it."""
    command = [*host.compile_command(sources, output), *C_OPTIONS, *options]
    run_tool(command, {**os.environ, **host.environment()})
    return output


def run_tool(
    command: Sequence[str],
    environment: dict[str, str] | None = None,
    seconds: float = COMPILE_SECONDS,
) -> str:
    """What a tool writes to standard output; ProgramError if it fails or takes longer."""
    try:
        result = subprocess.run(
            command, capture_output=True, text=True, timeout=seconds, env=environment
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise ProgramError(f"{' '.join(command)}: {error}") from error
    if result.returncode != 0:
        raise ProgramError(
            f"{' '.join(command)} ended with code {result.returncode}:\n{result.stderr.strip()}"
        )
    return result.stdout
