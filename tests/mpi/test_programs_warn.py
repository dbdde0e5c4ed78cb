"""The compiler has nothing to say of the test programs: what it warns of is an error elsewhere, as
calls of functions that nobody has declared are with GCC 14."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from runner import PROGRAMS, ROOT, Runner

OPTIONS = ["-fsyntax-only", "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-I", "src"]


@pytest.mark.timeout(120)
def test_the_programs_give_no_warnings(runner: Runner) -> None:
    if runner.host.name != "mpich":
        pytest.skip("once is enough, on the host that has all calls")
    told = [said for source in sorted(PROGRAMS.glob("*.c")) if (said := warnings(runner, source))]
    assert not told, "\n".join(told)


def warnings(runner: Runner, source: Path) -> str:
    command = [*runner.host.compile_command([source], "/dev/null"), *OPTIONS]
    environment = runner.environment()
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment)
    return "" if done.returncode == 0 else done.stderr
