"""Programs that are measured in turn, each asleep while another is."""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from tasuki.bench.support.launch import lines_of
from tasuki.bench.support.programs import ProgramError
from tasuki.bench.support.slots import in_slots

WAIT = 'dd bs=1 count=1 of=/dev/null status=none < "$1/0"'


def shell(script: str) -> Callable[[Path], Generator[str, None, None]]:
    return lambda folder: lines_of(["sh", "-c", script, "sh", str(folder)], "shell", 30)


def test_a_program_goes_on_when_it_is_given_a_slot(tmp_path: Path) -> None:
    log = tmp_path / "log"
    turn = f'{WAIT}; echo "$0" >> {log}; echo "$0"'
    with (
        in_slots("a", 1, tmp_path / "a", shell(turn + "; " + turn)) as give_a,
        in_slots("b", 1, tmp_path / "b", shell(f"{WAIT}; echo b >> {log}; echo b")) as give_b,
    ):
        assert [give_a(), give_b(), give_a()] == ["sh\n", "b\n", "sh\n"]
    assert log.read_text().split() == ["sh", "b", "sh"]


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("exit 0", "a: ended before it was done"),
        ("echo broken >&2; exit 3", "shell: ended with code 3:\nbroken"),
    ],
)
def test_a_program_that_ends_in_its_slot_is_told(script: str, reason: str, tmp_path: Path) -> None:
    with (
        pytest.raises(ProgramError, match=reason),
        in_slots("a", 1, tmp_path / "a", shell(f"{WAIT}; {script}")) as give_slot,
    ):
        give_slot()


@pytest.mark.parametrize(
    ("script", "reason"), [("echo 2", "a: a line too many: 2"), ("exit 3", "ended with code 3")]
)
def test_a_program_that_does_not_end_well_after_its_slots_is_told(
    script: str, reason: str, tmp_path: Path
) -> None:
    with (
        pytest.raises(ProgramError, match=reason),
        in_slots("a", 1, tmp_path / "a", shell(f"{WAIT}; echo 1; {script}")) as give_slot,
    ):
        assert give_slot() == "1\n"
