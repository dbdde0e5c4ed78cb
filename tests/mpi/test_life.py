"""How programs begin and end under Tasuki: as natively, and nothing is left behind."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from runner import Result, Runner

from tasuki.temporary import PREFIX

FORCED = {"TASUKI_ALLTOALL": "bruck"}
CARRIERS = ["host", "memory"]
ALGORITHMS = ["spread", "bruck", "pairwise", "pairwise-light-barrier"]

KILLED = {
    "host": ("bruck:carrier=host", "1x3", 2000),
    "memory": ("bruck:carrier=memory", "1x3", 2000),
    "posted": ("spread:carrier=memory", "1x3", 64),
    "large": ("spread:carrier=memory", "1x3", 1 << 20),
    "split": ("pairwise:carrier=memory", "0,0,1", 100_000),
}
"""Exchanges in which a rank is killed: what runs, on which nodes, and bytes of a block."""
OF_A_KILL = "has ended while messages|[Ss]ignal 9|SIGNAL: 9|BAD TERMINATION|Fatal error in"
OF_AN_ABORT = "MPI_ABORT|MPI_Abort|ORTE_ERROR_LOG"
"""What Tasuki, a host's launcher or the host itself says of these. Of one abort in five Open MPI
4.1 can only tell that it cannot unpack its own words, also without Tasuki."""

Process = subprocess.Popen[bytes]


def processes_of(program: Path) -> list[int]:
    """The processes that run a program, or are about to."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                if str(program).encode() in (entry / "cmdline").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                pass  # it has just ended
    return found


def leftovers(program: Path, folder: Path) -> set[str]:
    """Processes, shared memory and temporary files of Tasuki's runs. A host's own files in its own
    temporary folder are not our business, nor are folders of commands, which other tests start
    beside this one. What Tasuki shares has no name, so their runs are not seen either, unless they
    leave something behind."""
    deadline = time.monotonic() + 10
    while processes_of(program) and time.monotonic() < deadline:
        time.sleep(0.1)
    found = {f"process {number}" for number in processes_of(program)}
    for place in ("/dev/shm", "/tmp", str(folder)):
        names = [name for name in os.listdir(place) if not name.startswith(PREFIX)]
        found |= {f"{place}/{name}" for name in names if "tasuki" in name}
    return found


@pytest.fixture
def own_copy(runner: Runner, tmp_path: Path) -> Path:
    """The program under a name of its own, so that its processes can be told apart."""
    copy = tmp_path / "life_and_death"
    copy.write_bytes(runner.program("life").read_bytes())
    copy.chmod(0o755)
    return copy


@pytest.fixture
def temporary(tmp_path: Path) -> dict[str, str]:
    folder = tmp_path / "t"
    folder.mkdir()
    return {"TMPDIR": str(folder)}


def forced(carrier: str) -> dict[str, str]:
    return {"TASUKI_ALLTOALL": f"bruck:carrier={carrier}"}


def run_to_its_end(run: Callable[[], Result]) -> Result:
    """Intel MPI's launcher itself ends by SIGPIPE now and then while ranks go, without Tasuki too:
    that tells nothing of them, and it is run again."""
    result = run()
    for _ in range(2):
        if result.code == -signal.SIGPIPE:
            result = run()
    return result


def compare(
    runner: Runner,
    program: Path,
    settings: dict[str, str],
    *arguments: str,
    wish: dict[str, str] = FORCED,
) -> tuple[Result, Result]:
    """One run without and one with Tasuki."""
    before = leftovers(program, Path(settings["TMPDIR"]))
    native = run_to_its_end(lambda: runner.native(3, [program, *arguments], settings))
    with_tasuki = run_to_its_end(
        lambda: runner.tasuki(3, [program, *arguments], {**settings, **wish})
    )
    left = leftovers(program, Path(settings["TMPDIR"])) - before
    assert not left, f"left behind: {left}\n{with_tasuki.explain()}"
    return native, with_tasuki


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "arguments",
    ["no-init", "no-init 3", "no-alltoall", "exit 0", "exit 5", "atexit 6", "once", "abort 9"],
)
def test_ends_as_natively(
    runner: Runner, own_copy: Path, temporary: dict[str, str], arguments: str
) -> None:
    native, with_tasuki = compare(runner, own_copy, temporary, *arguments.split())
    assert native.code is not None, native.explain()
    assert with_tasuki.code == native.code, with_tasuki.explain()
    assert with_tasuki.says_ok() or native.code != 0, with_tasuki.explain()
    assert not with_tasuki.lines_of_tasuki(), with_tasuki.explain()


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("arguments", "carrier"),
    [(way, "host") for way in ("signal 9", "signal 15", "signal 11", "exit-early 4")]
    + [(way, "memory") for way in ("signal 9", "abort 9", "exit-early 4")],
)
def test_sudden_ends(
    runner: Runner, own_copy: Path, temporary: dict[str, str], arguments: str, carrier: str
) -> None:
    """Which code a launcher makes of these is its own affair, and not always the same."""
    native, with_tasuki = compare(
        runner, own_copy, temporary, *arguments.split(), wish=forced(carrier)
    )
    assert native.code not in (0, None), native.explain()
    assert with_tasuki.code not in (0, None), with_tasuki.explain()


def begin(runner: Runner, program: Path, settings: dict[str, str], *arguments: str) -> Process:
    """Three ranks under Tasuki, whose output is read while they run."""
    argv = [str(runner.tasuki_command), "run", str(program), *arguments]
    return subprocess.Popen(
        runner.host.launch_command(3, argv),
        env=runner.environment(settings),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        bufsize=0,  # what is not read as a line is left for communicate()
    )


def end_in_time(process: Process, program: Path) -> str:
    """What is still written by a run that has been given a reason to end: the launcher and every
    rank have gone 10 s later, and the exit code is not 0."""
    deadline = time.monotonic() + 10
    try:
        rest, _ = process.communicate(timeout=10)
    finally:
        process.kill()
    output = rest.decode(errors="replace")
    while (left := processes_of(program)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left, f"still there: {left}\n{output}"
    assert process.returncode != 0, output
    return output


def kill_one(
    runner: Runner,
    program: Path,
    settings: dict[str, str],
    victim: int,
    delay: float,
    size: int = 2000,
) -> None:
    """Kills one of three ranks so many seconds after all have begun to exchange blocks of `size`
    bytes; the others end within 10 s, and it is said what happened."""
    process = begin(runner, program, settings, "wait", str(size))
    assert process.stdout is not None
    ranks: list[int] = []
    while len(ranks) < 3 and (line := process.stdout.readline()):
        ranks += [int(number) for number in re.findall(rb"rank \d+ is (\d+)", line)]
    assert len(ranks) == 3, "the ranks did not start"
    time.sleep(delay)
    os.kill(ranks[victim], signal.SIGKILL)
    output = end_in_time(process, program)
    assert re.search(OF_A_KILL, output), f"nobody said why the run ended:\n{output}"


@pytest.mark.timeout(60)
@pytest.mark.parametrize(("choice", "placement", "size"), KILLED.values(), ids=KILLED.keys())
def test_rank_killed_from_outside(
    runner: Runner,
    own_copy: Path,
    temporary: dict[str, str],
    choice: str,
    placement: str,
    size: int,
) -> None:
    before = leftovers(own_copy, Path(temporary["TMPDIR"]))
    settings = {**temporary, "TASUKI_ALLTOALL": choice, "TASUKI_PLACEMENT": placement}
    kill_one(runner, own_copy, settings, victim=1, delay=0.3, size=size)
    assert not leftovers(own_copy, Path(temporary["TMPDIR"])) - before


@pytest.mark.slow
@pytest.mark.timeout(1500)
def test_a_hundred_kills(runner: Runner, own_copy: Path, temporary: dict[str, str]) -> None:
    """At random moments of exchanges by any algorithm and path, most of them by memory."""
    before = leftovers(own_copy, Path(temporary["TMPDIR"]))
    moments = random.Random(1)
    for number in range(100):
        carrier = moments.choice(["memory", "memory", "memory", "host"])
        choice = f"{moments.choice(ALGORITHMS)}:carrier={carrier}"
        placement = moments.choice(["1x3", "1x3", "0,0,1", "0,1,0"])
        case = {
            "victim": moments.randrange(3),
            "delay": moments.uniform(0, 0.2),
            "size": moments.choice([8, 64, 2000, 40_000, 300_000, 1 << 20]),
        }
        settings = {**temporary, "TASUKI_ALLTOALL": choice, "TASUKI_PLACEMENT": placement}
        try:
            kill_one(runner, own_copy, settings, **case)
            assert not leftovers(own_copy, Path(temporary["TMPDIR"])) - before
        except AssertionError as error:
            raise AssertionError(
                f"kill {number}, {choice}, {placement}, {case}: {error}"
            ) from error


def abort_while_others_wait(
    runner: Runner, program: Path, temporary: dict[str, str], carrier: str
) -> str:
    """One rank calls MPI_Abort, the others wait in an exchange; gives what the run has written."""
    before = leftovers(program, Path(temporary["TMPDIR"]))
    process = begin(runner, program, {**temporary, **forced(carrier)}, "abort", "9")
    assert process.stdout is not None
    output = ""
    while not output.endswith("now\n") and (line := process.stdout.readline()):
        output += line.decode()
    assert output.endswith("now\n"), f"the rank did not come to MPI_Abort:\n{output}"
    output += end_in_time(process, program)
    assert not leftovers(program, Path(temporary["TMPDIR"])) - before
    return output


@pytest.mark.timeout(60)
@pytest.mark.parametrize("carrier", CARRIERS)
def test_abort_ends_all_in_time(
    runner: Runner, own_copy: Path, temporary: dict[str, str], carrier: str
) -> None:
    """Of one abort in twenty MPICH's launcher loses the words that the rank wrote last, without
    Tasuki too: they are looked for in up to four runs, everything else holds in each."""
    outputs = []
    for _ in range(4):
        outputs.append(abort_while_others_wait(runner, own_copy, temporary, carrier))
        if re.search(OF_AN_ABORT, outputs[-1]):
            return
    raise AssertionError(f"nobody said why the runs ended: {outputs}")


@pytest.mark.timeout(60)
@pytest.mark.parametrize("arguments", [[], ["3"], ["0", "15"]])
def test_program_without_mpi(runner: Runner, arguments: list[str]) -> None:
    """It is no MPI program, so there is nothing for Tasuki to do, or to say."""
    program = runner.program("plain")
    native = subprocess.run([program, *arguments], capture_output=True, text=True, timeout=20)
    result = runner.alone([program, *arguments])
    assert result.returncode == native.returncode
    assert result.stdout == native.stdout


@pytest.mark.timeout(60)
def test_singleton(runner: Runner) -> None:
    """An MPI program that is started without a launcher is a world of one rank."""
    result = runner.alone([runner.program("life"), "once"], FORCED)
    assert result.returncode == 0, result.stderr
    assert "initialized; ran bruck" in result.stdout


@pytest.mark.timeout(60)
def test_ranks_without_an_mpi_on_their_path(runner: Runner, tmp_path: Path) -> None:
    """What a program is linked to decides, not which MPI's tools a rank would find."""
    program = runner.program("life")
    command = ["/usr/bin/env", f"PATH={tmp_path}", str(runner.tasuki_command), "run"]
    result = runner.native(2, [*command, program, "once"], FORCED)
    result.expect_ok()
    assert "initialized; ran bruck" in result.output, result.explain()
