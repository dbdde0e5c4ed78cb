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

MPICH_YIELDS = "MPIR_CVAR_CH4_PROGRESS_THROTTLE"
"""With more ranks than cores Tasuki sets it to 1, which users can do without Tasuki, too."""

TIME_SLICE = "TASUKI_TIME_SLICE"
"""The one setting of Tasuki that the environment has a say about."""

FIRST_LINES = 12
"""Of standard error, told when a program fails: what comes later is mostly the launcher's."""


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
    beside_busy: bool = False,
) -> Generator[str, None, None]:
    """Yields the lines that the program writes, as they come.

    `alltoall` is what TASUKI_ALLTOALL is set to; Tasuki does nothing else of its own accord, and of
    the environment's settings of Tasuki none holds but that of time slices. With `remarks`, Tasuki
    is asked to tell what it does, and what it says is added to them. `stdin` is a file descriptor
    that the program reads from; `launcher` starts the ranks, if that is not to be the host's own
    mpiexec on this machine.
    What the run learns is kept below `cache`, if that is not to be the user's own. Without `memory`
    Tasuki sends all messages by the host.
    A run `beside_host` compares with the host's own, which waits as it does without Tasuki, unless
    the environment says something else. One `beside_busy` processes of ours is in our session.
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
    if beside_host and MPICH_YIELDS not in os.environ:
        settings[MPICH_YIELDS] = "0"
    if time_slice := os.environ.get(TIME_SLICE) or ("off" if beside_host else ""):
        settings[TIME_SLICE] = time_slice
    told: list[str] = []
    try:
        yield from lines_of(
            [*launcher, *map(str, words)] if launcher else host.launch_command(ranks, words),
            f"{host.name}, {ranks} ranks",
            seconds,
            _environment(host.environment(), settings),
            stdin,
            told,
            beside_busy,
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
    in_our_session: bool = False,
) -> Generator[str, None, None]:
    """Yields the lines that a program writes, as they come; it is ended if no more are asked for.

    What it writes to standard error is added to `told`. ProgramError, which begins with `name`, if
    it fails or takes longer than `seconds`.
    """
    with tempfile.TemporaryFile("w+", errors="replace") as errors:
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
            errors="replace",
            env=environment,
            **_own_group(in_our_session),
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


def _own_group(in_our_session: bool) -> dict[str, Any]:
    """How a program is started so that it can be ended with all that it starts. Linux may give a
    session as much of a core as each process of another one (sched_autogroup_enabled)."""
    if not in_our_session:
        return {"start_new_session": True}
    return {"process_group": 0} if sys.version_info >= (3, 11) else {"preexec_fn": os.setpgrp}


def _end(process: subprocess.Popen[str]) -> None:
    """Ends the launcher and the ranks, which are in its group."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
