"""File systems that are small or full: it works, and what is missing for it is said once."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path

import pytest
from runner import Result, Runner, run

BY_MEMORY = "spread:window=0,carrier=memory"
FORCED = {"TASUKI_ALLTOALL": BY_MEMORY}
RANKS = 3

ON_SMALL_DISK = """
mount --make-rprivate / && mount -t tmpfs -o size="$1" tasuki-test "$2" || exit 125
if [ "$3" = full ]; then cat /dev/zero 2>/dev/null >"$2/rest"; fi
shift 3
exec "$@"
"""


@cache
def may_mount() -> bool:
    """Whether this process may have a file system that nobody else sees."""
    command = ["unshare", "--mount", "sh", "-c", ON_SMALL_DISK, "sh", "4k", "/dev/shm", "full"]
    try:
        return subprocess.run([*command, "true"], capture_output=True, timeout=10).returncode == 0
    except OSError:
        return False


def on_small_disk(folder: Path, size: str, filled: str) -> list[str]:
    """What a command begins with for which `folder` is a file system of its own, "full" or "empty".
    Skips the test where that is not allowed."""
    if not may_mount():
        pytest.skip("this system lets us mount nothing: that takes root, and unshare")
    return ["unshare", "--mount", "sh", "-c", ON_SMALL_DISK, "sh", size, str(folder), filled]


def expect_said_once(result: Result, word: str) -> None:
    assert len(result.lines_of_tasuki()) == 1, result.explain()
    assert word in result.lines_of_tasuki()[0], result.explain()


@pytest.mark.timeout(90)
@pytest.mark.parametrize(("size", "filled"), [("4k", "full"), ("64m", "empty")])
def test_dev_shm_is_small(runner: Runner, size: str, filled: str) -> None:
    """The transport takes none of it, so there is nothing to be said."""
    prefix = on_small_disk(Path("/dev/shm"), size, filled)
    program = runner.program("large_exchanges")
    # The host's own large messages are not our subject.
    native = runner.host.launch_command(RANKS, [program, "3000"])
    if not run([*prefix, *native], runner.environment()).says_ok():
        pytest.skip(f"{runner.host.name} itself does not run with such a /dev/shm")
    ours = runner.host.launch_command(RANKS, [str(runner.tasuki_command), "run", program])
    result = run([*prefix, *ours], runner.environment({"EXPECT_TASUKI": "1", **FORCED}))
    result.expect_ok()
    assert f"ran {BY_MEMORY}" in result.output, result.explain()
    assert not result.lines_of_tasuki(), result.explain()


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", ["report.html", "report.json"])
def test_the_disk_of_the_report_is_full(runner: Runner, name: str, tmp_path: Path) -> None:
    """It is told; the program's result, its output and its exit code are its own."""
    prefix = on_small_disk(tmp_path, "4k", "full")
    argv = [str(runner.tasuki_command), "run", runner.program("reported"), "40"]
    command = runner.host.launch_command(2, argv)
    settings = {"EXPECT_TASUKI": "1", "TASUKI_REPORT": str(tmp_path / name)}
    result = run([*prefix, *command], runner.environment(settings))
    result.expect_ok()
    expect_said_once(result, "there is no report: ")
    assert name in result.output and "No space left on device" in result.output, result.explain()
