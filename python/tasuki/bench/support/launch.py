"""Launching MPI programs, with Tasuki and without, so that none is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tasuki.bench.support.programs import ProgramError
from tasuki.hosts import Host
from tasuki.installation import launcher

TIME_SLICE = "TASUKI_TIME_SLICE"
WITHOUT_TASUKI = {"MPIR_CVAR_CH4_PROGRESS_THROTTLE": "0", TIME_SLICE: "off"}
"""So that the host waits as it does without Tasuki, which lets MPICH yield where there are more
ranks than cores, and asks for short slices of the scheduler's."""

FIRST_LINES = 12
"""Of standard error, told when a program fails: what comes later is mostly the launcher's."""


_IN_A_GROUP: dict[str, Any] = (
    {"process_group": 0} if sys.version_info >= (3, 11) else {"preexec_fn": os.setpgrp}
)
"""So that all can be ended. Not in a session, in which Linux would give the ranks together as much
as each process that keeps a core busy beside them."""


def tasuki_command() -> Path:
    """The native launcher."""
    if found := launcher():
        return found.absolute()
    raise ProgramError(
        f"the command tasuki was found neither in {sys.prefix}/bin nor on PATH: install Tasuki "
        "into this environment (`make demo` in the checkout)"
    )


def launch(
    host: Host,
    ranks: int,
    argv: Sequence[str | Path],
    seconds: float,
    alltoall: str | None = None,
    under_tasuki: bool = True,
    remarks: list[str] | None = None,
    stdin: int = subprocess.DEVNULL,
    launcher: Sequence[str] | None = None,
    cache: Path | None = None,
    memory: bool = True,
    beside_host: bool = False,
) -> Generator[str, None, None]:
    """Yields the lines that the program writes, as they come.

    `alltoall` is what TASUKI_ALLTOALL is set to; Tasuki does nothing else of its own accord, and of
    the environment's settings of Tasuki none holds but that of time slices. With
    `remarks`, Tasuki is asked to tell what it does, and what it says is added to them. `stdin` is a
    file descriptor that the program reads from; `launcher` starts the ranks, if that is not to be
    the host's own mpiexec on this machine.
    What the run learns is kept below `cache`, if that is not to be the user's own. Without `memory`
    Tasuki sends all messages by the host.
    A run `beside_host` compares with the host's own, which waits as it does without Tasuki, unless
    the environment says something else.
    ProgramError if the program fails, with the begin of its standard error, or if it takes longer
    than `seconds`; then its processes are ended.
    """
    words = [tasuki_command(), "run", *argv] if under_tasuki else list(argv)
    settings = {"TASUKI_COLLECTIVES": "native"} if under_tasuki else {}
    if alltoall:
        settings["TASUKI_ALLTOALL"] = alltoall
    if remarks is not None:
        settings["TASUKI_VERBOSE"] = "1"
    if cache is not None:
        settings["TASUKI_CACHE"] = str(cache)
    if not memory:
        settings["TASUKI_MEMORY"] = "off"
    if beside_host:
        settings |= {k: v for k, v in WITHOUT_TASUKI.items() if k not in os.environ}
    if TIME_SLICE in os.environ:
        settings[TIME_SLICE] = os.environ[TIME_SLICE]
    told: list[str] = []
    try:
        yield from lines_of(
            [*launcher, *map(str, words)] if launcher else host.launch_command(ranks, words),
            f"{host.name}, {ranks} ranks",
            seconds,
            _environment(host.environment(), settings),
            stdin,
            told,
        )
    finally:
        if remarks is not None:
            remarks += [line for line in told if line.startswith("tasuki: ")]


def lines_of(
    command: Sequence[str],
    name: str,
    seconds: float,
    environment: Mapping[str, str] | None = None,
    stdin: int = subprocess.DEVNULL,
    told: list[str] | None = None,
) -> Generator[str, None, None]:
    """Yields the lines that a program writes, as they come; it is ended if no more are asked for.

    What it writes to standard error is added to `told`. ProgramError, which begins with `name`, if
    it fails or takes longer than `seconds`.
    """
    with tempfile.TemporaryFile("w+") as errors:
        late = threading.Event()
        watch = threading.Timer(seconds, lambda: (late.set(), _end(process)))
        # Who is told to leave may not come to cancel it, and does not wait for it at the end.
        watch.daemon = True
        process = subprocess.Popen(
            command,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            env=environment,
            **_IN_A_GROUP,
        )
        assert process.stdout is not None
        try:
            watch.start()
            for line in process.stdout:
                # What a launcher says of ranks that were ended here is no result.
                if not late.is_set():
                    yield line
            code = process.wait()
        finally:
            watch.cancel()
            _end(process)
            process.stdout.close()
        errors.seek(0)
        errors_told = errors.read().strip().splitlines()
        if told is not None:
            told += errors_told
        if late.is_set():
            raise ProgramError(f"{name}: no end after {seconds:.0f} s")
        if code != 0:
            begin = "\n".join(errors_told[:FIRST_LINES])
            raise ProgramError(f"{name}: ended with code {code}:\n{begin}")


def _environment(host: Mapping[str, str], settings: Mapping[str, str]) -> dict[str, str]:
    """Ours and the host's, with these settings of Tasuki and no others."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("TASUKI_")}
    return {**own, **host, **settings}


def _end(process: subprocess.Popen[str]) -> None:
    """Ends the launcher and the ranks, which are in its group."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
