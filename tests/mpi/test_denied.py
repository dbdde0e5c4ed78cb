"""System calls that are denied, to all ranks or to one: copies between processes, and memory that
is shared. It works, and it is said once, by a rank that knows why."""

from __future__ import annotations

import pytest
from runner import Result, Runner

BY_MEMORY = "spread:window=0,carrier=memory"
SETTINGS = {"EXPECT_TASUKI": "1", "TASUKI_ALLTOALL": BY_MEMORY}
RANKS = 3
NO_SECCOMP = "denied: seccomp"


def run_denied(runner: Runner, who: str, what: str, *argv: object) -> Result:
    denied = runner.program("denied")
    command = [denied, who, what, str(runner.tasuki_command), "run", *argv]
    result = runner.native(RANKS, command, SETTINGS)
    if NO_SECCOMP in result.output:
        pytest.skip("this system lets no process deny itself anything (seccomp)")
    return result


def the_line(result: Result, words: str) -> str:
    """The only one that has the words."""
    lines = [line for line in result.lines_of_tasuki() if words in line]
    assert len(lines) == 1, result.explain()
    return lines[0]


@pytest.mark.timeout(90)
def test_nothing_is_said_where_nothing_is_denied(runner: Runner) -> None:
    program = runner.program("large_exchanges")
    runner.native(RANKS, [program]).expect_ok()
    result = run_denied(runner, "nobody", "copies", program)
    result.expect_ok()
    assert f"ran {BY_MEMORY}" in result.output, result.explain()
    assert not result.lines_of_tasuki(), result.explain()


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("name", "arguments"), [("life", ["once"]), ("large_exchanges", [])], ids=["few bytes", "large"]
)
@pytest.mark.parametrize(("who", "named"), [("all", 0), ("0", 0), ("1", 1), ("2", 2)])
def test_denied_remote_copies_are_said_once(
    runner: Runner, who: str, named: int, name: str, arguments: list[str]
) -> None:
    result = run_denied(runner, who, "copies", runner.program(name), *arguments)
    result.expect_ok()
    assert f"ran {BY_MEMORY}" in result.output, result.explain()
    assert len(result.lines_of_tasuki()) == 1, result.explain()
    assert f"rank {named} " in the_line(result, "process_vm_readv"), result.explain()


@pytest.mark.timeout(60)
@pytest.mark.parametrize("who", ["all", "1", "2"])
def test_why_memory_cannot_be_shared_is_said_once(runner: Runner, who: str) -> None:
    """Also where the rank that has found it is not the one that speaks for all."""
    result = run_denied(runner, who, "memory", runner.program("life"), "once")
    result.expect_ok()
    assert "ran native" in result.output, result.explain()
    assert "memfd_create" in the_line(result, "carries their messages"), result.explain()
    # Why what was asked for does not run is another line, with the same reason.
    assert "memfd_create" in the_line(result, "does not run"), result.explain()
