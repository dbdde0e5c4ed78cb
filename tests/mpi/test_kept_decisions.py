"""What earlier runs have kept: a file that cannot be used is told once and harms nothing, and one
that can is what the next run begins with."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from runner import Result, Runner

CALLS = (120, 500, 2000)
"""What a run keeps, it has learnt before it ends: on a busy machine that takes more calls."""


def digest(text: str) -> str:
    """The checksum of a file of decisions: FNV-1a, folded to 52 bits."""
    state = 0xCBF29CE484222325
    for byte in [*text.encode(), 0]:
        state = (state ^ byte) * 0x100000001B3 % 2**64
    return f"{(state ^ state >> 52) & 0xFFFFFFFFFFFFF:013x}"


def run(runner: Runner, cache: Path, calls: int = CALLS[0], **settings: str) -> Result:
    """Sums of four sizes, learnt as fast as can be. All answers are right."""
    wish = {"TASUKI_ALLREDUCE": "auto:budget=100", "TASUKI_CACHE": str(cache)}
    command = [runner.program("sizes"), str(calls)]
    result = runner.tasuki(2, command, {**wish, **settings}, seconds=150)
    result.expect_ok()
    return result


def run_until(is_kept: Callable[[], bool], runner: Runner, cache: Path) -> Result:
    for calls in CALLS:
        result = run(runner, cache, calls)
        if is_kept():
            return result
    pytest.fail(f"nothing was learnt in {CALLS[-1]} calls")


def kept_files(cache: Path) -> list[Path]:
    return [path for path in cache.glob("decisions-*") if not path.suffix]


def learn(runner: Runner, cache: Path) -> Path:
    """The file of a run that has kept something."""
    run_until(lambda: bool(kept_files(cache)), runner, cache)
    (file,) = kept_files(cache)
    return file


@pytest.fixture(scope="module")
def learnt(runner: Runner, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of one run on each host, for tests that spoil a copy of it."""
    return learn(runner, tmp_path_factory.mktemp("learnt"))


def with_checksum(text: str) -> str:
    body = re.sub(r"checksum .*\n$", "", text)
    return f"{body}checksum {digest(body)}\n"


def damaged(text: str) -> str:
    return text.replace("winner ", "winner x", 1)


def torn(text: str) -> str:
    return text[: len(text) // 2]


def foreign(text: str) -> str:
    return with_checksum(re.sub(r"\nfingerprint .*\n", "\nfingerprint Cray MPI | abacus\n", text))


def newer(text: str) -> str:
    return with_checksum(text.replace("tasuki-decisions 1\n", "tasuki-decisions 99\n", 1))


@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("spoil", "words", "is_replaced"),
    [
        (damaged, "checksum", True),
        (torn, "cannot be used", True),
        (foreign, "learnt elsewhere", False),
        (newer, "newer", False),
    ],
)
def test_a_file_that_cannot_be_used(
    runner: Runner,
    learnt: Path,
    tmp_path: Path,
    spoil: Callable[[str], str],
    words: str,
    is_replaced: bool,
) -> None:
    """The start and the end of the run say what happens, and what is said to remove the file does;
    all answers are right."""
    cache = tmp_path / "a user's cache"
    cache.mkdir()
    file = cache / learnt.name
    spoilt = spoil(learnt.read_text())
    file.write_text(spoilt)
    if is_replaced:
        result = run_until(lambda: file.read_text() != spoilt, runner, cache)
    else:
        result = run(runner, cache)
        assert file.read_text() == spoilt
    said = result.lines_of_tasuki()
    assert 1 <= len(said) <= 2, result.explain()
    assert words in said[0], result.explain()
    assert len(set(said)) == len(said), result.explain()
    if is_replaced:
        again = run(runner, cache)
        assert not again.lines_of_tasuki(), again.explain()
    (hint,) = re.findall("`(tasuki .*?)`", said[0])
    subprocess.run(
        [Path(sys.executable).with_name("tasuki"), *shlex.split(hint)[1:]],
        env={**os.environ, "TASUKI_CACHE": str(tmp_path)},
        check=True,
    )
    assert not file.exists()


def settled_winners(cache: Path) -> dict[int, str]:
    """By size, of what no candidate waits any more to be compared with."""
    text = "".join(file.read_text() for file in kept_files(cache))
    keys = re.findall(r"^key allreduce bytes=(\d+) .*\n((?:(?!key ).*\n)*)", text, re.MULTILINE)
    return {
        int(size): re.findall(r"^winner (.*)$", rest, re.MULTILINE)[0]
        for size, rest in keys
        if "candidate waiting" not in rest
    }


@pytest.mark.timeout(600)
def test_the_next_run_begins_with_what_was_kept(runner: Runner, tmp_path: Path) -> None:
    """After calls of the host's own, which tell how fast the machine is today, the winner runs for
    as long as its reference takes; where something is learnt nothing runs for so long at first."""
    run_until(lambda: bool(settled_winners(tmp_path)), runner, tmp_path)
    winners = settled_winners(tmp_path)
    (file,) = kept_files(tmp_path)
    text = file.read_text()
    assert re.search(r"^parameters (built-in|quick|measured)", text, re.MULTILINE), text
    report = tmp_path / "report.json"
    run(runner, tmp_path, TASUKI_REPORT=str(report))
    (world,) = json.loads(report.read_text())["communicators"]
    sizes = {size["size"]: size for size in world["sizes"] if size["size"] in winners}
    assert sizes.keys() == winners.keys()
    for bytes_of_key, size in sizes.items():
        uses = size["algorithm_over_calls"]
        first = uses[0] if winners[bytes_of_key] == "native" else uses[1]
        assert first["algorithm"] == winners[bytes_of_key], size
        assert first["last_call"] - first["first_call"] >= 31, size
