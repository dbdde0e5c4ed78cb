"""What earlier runs have kept: a file that cannot be used is told once and harms nothing, and one
that can is what the next run begins with."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from runner import Result, Runner

CALLS = "120"


def digest(text: str) -> str:
    """The checksum of a file of decisions: FNV-1a, folded to 52 bits."""
    state = 0xCBF29CE484222325
    for byte in [*text.encode(), 0]:
        state = (state ^ byte) * 0x100000001B3 % 2**64
    return f"{(state ^ state >> 52) & 0xFFFFFFFFFFFFF:013x}"


def run(runner: Runner, cache: Path, **settings: str) -> Result:
    """Sums of four sizes, learnt as fast as can be."""
    wish = {"TASUKI_ALLREDUCE": "auto:budget=100", "TASUKI_CACHE": str(cache)}
    command = [runner.program("sizes"), CALLS]
    return runner.tasuki(2, command, {**wish, **settings}, seconds=90)


def kept_file(cache: Path) -> Path:
    (file,) = [path for path in cache.glob("decisions-*") if not path.suffix]
    return file


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


@pytest.mark.timeout(200)
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
    runner: Runner, tmp_path: Path, spoil, words: str, is_replaced: bool
) -> None:
    """The start and the end of the run say what happens; all answers are right."""
    run(runner, tmp_path).expect_ok()
    file = kept_file(tmp_path)
    spoilt = spoil(file.read_text())
    file.write_text(spoilt)
    result = run(runner, tmp_path)
    result.expect_ok()
    said = result.lines_of_tasuki()
    assert 1 <= len(said) <= 2, result.explain()
    assert words in said[0], result.explain()
    assert len(set(said)) == len(said), result.explain()
    assert (file.read_text() != spoilt) == is_replaced
    if is_replaced:
        again = run(runner, tmp_path)
        again.expect_ok()
        assert not again.lines_of_tasuki(), again.explain()


@pytest.mark.timeout(200)
def test_the_next_run_begins_with_what_was_kept(runner: Runner, tmp_path: Path) -> None:
    """After calls of the host's own, which tell how fast the machine is today, the winner runs for
    as long as its reference takes; where something is learnt nothing runs for so long at first."""
    run(runner, tmp_path).expect_ok()
    text = kept_file(tmp_path).read_text()
    found = re.findall(r"^key allreduce bytes=(\d+) .*\nwinner (.*)$", text, re.MULTILINE)
    winners = {int(size): winner for size, winner in found}
    assert winners, text
    report = tmp_path / "report.json"
    run(runner, tmp_path, TASUKI_REPORT=str(report)).expect_ok()
    (world,) = json.loads(report.read_text())["communicators"]
    sizes = {size["size"]: size for size in world["sizes"] if size["size"] in winners}
    assert sizes.keys() == winners.keys()
    for bytes_of_key, size in sizes.items():
        uses = size["algorithm_over_calls"]
        first = uses[0] if winners[bytes_of_key] == "native" else uses[1]
        assert first["algorithm"] == winners[bytes_of_key], size
        assert first["last_call"] - first["first_call"] >= 31, size
