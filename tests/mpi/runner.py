"""Compiles the test programs for one MPI and runs them, natively and under `tasuki run`."""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parent
ROOT = TESTS.parents[1]
PROGRAMS = TESTS / "programs"
BUILD = ROOT / "build" / "mpi-tests"

if "tasuki" not in sys.modules:
    sys.path.insert(0, str(ROOT / "python"))
from tasuki.hosts import Host  # noqa: E402

RUN_SECONDS = 60
"""How long a run may take if its test does not say otherwise."""

# In each MPI_Init of Open MPI libfabric looks for network cards, and sleeps for a second over it.
# With more ranks than cores MPICH 5 takes ten times as long unless those who wait yield; MPICH 4
# has no such setting (Runner.spins).
SAVE_TIME = {
    "OMPI_MCA_mtl": "^ofi",
    "OMPI_MCA_btl": "^ofi",
    "MPIR_CVAR_CH4_PROGRESS_THROTTLE": "1",
    "MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT": "10",
}


@dataclass(frozen=True)
class Result:
    """How a run ended. A run that took too long has the code None, and was killed."""

    code: int | None
    output: str
    """Standard output and standard error together."""
    command: tuple[str, ...]

    def explain(self) -> str:
        how = "took too long and was killed" if self.code is None else f"ended with {self.code}"
        return f"{' '.join(self.command)}\n{how}; its output:\n{self.output[-4000:]}"

    def expect_ok(self) -> None:
        """It ended with 0 and its checks held."""
        assert self.code == 0 and self.says_ok(), self.explain()
        assert "FAILED" not in self.output, self.explain()

    def says_ok(self) -> bool:
        """The program came to its end, with all checks kept."""
        return any(line.startswith("ok") for line in self.output.splitlines())

    def lines_of_tasuki(self) -> list[str]:
        """What Tasuki itself said; launchers put their own before it on the same line."""
        return [line for line in self.output.splitlines() if "tasuki: " in line]


def find_tasuki() -> Path | None:
    """The native launcher: $TASUKI_COMMAND, else the virtual environment's, else the newest built,
    of those that have libraries to preload, without sanitizers, beside them."""
    if named := os.environ.get("TASUKI_COMMAND"):
        return Path(named).absolute()
    built = sorted(ROOT.glob("build/*/launcher/tasuki"), key=lambda path: -path.stat().st_mtime)
    plain = [path for path in built if not path.parents[1].name.endswith("san")]
    complete = filter(has_libraries, [ROOT / ".venv" / "bin" / "tasuki", *plain])
    return next(complete, None)


def has_libraries(launcher: Path) -> bool:
    folders = [launcher.parent.parent / "lib" / "tasuki", launcher.parent.parent / "interpose"]
    return launcher.exists() and any(any(folder.glob("libtasuki-*.so")) for folder in folders)


def run(
    command: Sequence[str], environment: Mapping[str, str], seconds: float = RUN_SECONDS
) -> Result:
    """Runs a command in a process group of its own, of which nothing outlives it."""
    process = subprocess.Popen(
        command,
        env=dict(environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=seconds)
        return Result(process.returncode, output, tuple(command))
    except subprocess.TimeoutExpired:
        # The launcher is asked first: ranks may be in process groups of their own.
        process.terminate()
        try:
            output, _ = process.communicate(timeout=5)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
        return Result(None, output, tuple(command))


class Runner:
    """The programs of one host."""

    def __init__(self, host: Host, tasuki: Path | None) -> None:
        self.host = host
        self.tasuki_command = tasuki
        self.spins = host.name == "mpich-debian"
        """It waits without yielding: with more ranks than cores a call takes milliseconds."""

    def environment(self, settings: Mapping[str, str] | None = None) -> dict[str, str]:
        """Our own without settings of Tasuki, with those of the host and `settings`."""
        ours = {k: v for k, v in os.environ.items() if not k.startswith("TASUKI_")}
        return {**ours, **self.host.environment(), **SAVE_TIME, **(settings or {})}

    def compile(
        self,
        output: str,
        sources: Sequence[str],
        options: Sequence[str] = (),
        language: str = "c",
    ) -> Result:
        """Compiles unless the output is newer than everything it is made from. Several tests may
        ask at the same time."""
        folder = BUILD / self.host.name
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            return self._compile_alone(self.program_path(output), sources, options, language)

    def _compile_alone(
        self, target: Path, sources: Sequence[str], options: Sequence[str], language: str
    ) -> Result:
        made_from = [PROGRAMS / source for source in sources] + list(PROGRAMS.glob("*.h"))
        newest = max(path.stat().st_mtime for path in made_from)
        if target.exists() and target.stat().st_mtime > newest:
            return Result(0, "", ())
        flags = {
            "c": ["-std=gnu11", "-Wall", "-Wextra"],
            "c++": ["-std=c++20", "-Wall", "-Wextra"],
            "fortran": [f"-J{target.parent}"],
        }[language]
        paths = [PROGRAMS / source for source in sources]
        command = self.host.compile_command(paths, target, language)
        command += [*flags, "-O1", "-g", "-pthread", *options, "-ldl"]
        return run(command, self.environment())

    def fortran_program(self, source: str, *more_sources: str) -> Path:
        """The Fortran program of SOURCE (.f90); skips the test where the host compiles none."""
        if not self.host.has_fortran:
            pytest.skip(f"{self.host.name} has no Fortran compiler")
        name = f"{Path(source).stem}_fortran"
        result = self.compile(name, [*more_sources, source], language="fortran")
        assert result.code == 0, result.explain()
        return self.program_path(name)

    def program(self, name: str, *more_sources: str, options: Sequence[str] = ()) -> Path:
        """The C program NAME, compiled from NAME.c and what else it needs."""
        result = self.compile(name, [f"{name}.c", *more_sources], options)
        assert result.code == 0, result.explain()
        return self.program_path(name)

    def program_path(self, name: str) -> Path:
        return BUILD / self.host.name / name

    def native(
        self,
        ranks: int,
        argv: Sequence[str | Path],
        settings: Mapping[str, str] | None = None,
        seconds: float = RUN_SECONDS,
    ) -> Result:
        """Runs without Tasuki."""
        return run(self.host.launch_command(ranks, argv), self.environment(settings), seconds)

    def tasuki(
        self,
        ranks: int,
        argv: Sequence[str | Path],
        settings: Mapping[str, str] | None = None,
        seconds: float = RUN_SECONDS,
    ) -> Result:
        """Runs every rank under `tasuki run`. A program that finds no Tasuki there fails."""
        command = [str(self.tasuki_command), "run", *argv]
        return self.native(ranks, command, {"EXPECT_TASUKI": "1", **(settings or {})}, seconds)

    def alone(
        self, argv: Sequence[str | Path], settings: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Runs under `tasuki run` without a launcher, each output for itself."""
        command = [self.tasuki_command, "run", *argv]
        environment = self.environment(settings)
        return subprocess.run(command, capture_output=True, text=True, timeout=30, env=environment)

    def both(
        self,
        ranks: int,
        argv: Sequence[str | Path],
        settings: Mapping[str, str] | None = None,
        seconds: float = RUN_SECONDS,
    ) -> None:
        """The checks of a program hold natively, so the program is right; then with Tasuki, by
        every row."""
        self.native(ranks, [*argv, "native"], seconds=seconds).expect_ok()
        self.tasuki(ranks, [*argv, *rows()], settings, seconds).expect_ok()


# One without steps that wait, one that packs, one that sends messages without data, one that knows
# of nodes.
BY_MEMORY = ("spread", "bruck", "pairwise-light-barrier", "node-aware")


def with_a_name_each() -> list[str]:
    """What a command begins with by which each rank has a host name of its own. Skips the test
    where that is not allowed."""
    before = ["unshare", "--uts", "sh", "-c", 'hostname "rank-$$" && exec "$@"', "sh"]
    try:
        subprocess.run([*before, "true"], capture_output=True, timeout=10, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"no host name for each rank: that takes root, unshare and hostname ({error})")
    return before


def setting_of(collective: str) -> str:
    """The environment variable that names what it runs by."""
    return f"TASUKI_{collective.upper().replace('-', '_')}"


def table(collective: str) -> list[dict]:
    """The rows of algorithms.toml for a collective."""
    try:
        import tomllib
    except ModuleNotFoundError:  # Python 3.10
        import tomli as tomllib
    rows = tomllib.loads((ROOT / "algorithms.toml").read_text())["algorithm"]
    return [row for row in rows if row["collective"] == collective]


def candidates() -> list[str]:
    """What all-to-all can run by, as the programs read it: CHOICE@CONDITION,... for every row of
    algorithms.toml, for rows with parameters two more values of the first, and for some with
    messages inside nodes carried by memory."""
    found = ["native"]
    for row in table("alltoall"):
        domain = "@" + ",".join(row["domain"]) if row["domain"] else ""
        found += [choice + domain for choice in choices_of(row)]
        if row["name"] in BY_MEMORY:
            values = [f"{p['name']}={p['default']}" for p in row["parameters"]]
            found.append(f"{row['name']}:{','.join([*values, 'carrier=memory'])}{domain}")
    return found


def rows() -> list[str]:
    """The candidates with the defaults of their parameters: enough where the subject is not what
    an algorithm does."""
    return [candidate for candidate in candidates() if ":" not in candidate]


def choices_of(row: dict) -> list[str]:
    """The row's name alone, and with its first parameter one and two above the default."""
    choices = [row["name"]]
    parameters = row["parameters"]
    for above in (1, 2):
        if parameters and parameters[0]["default"] + above <= parameters[0]["maximum"]:
            values = [
                f"{p['name']}={p['default'] + above * (p is parameters[0])}" for p in parameters
            ]
            choices.append(f"{row['name']}:{','.join(values)}")
    return choices
