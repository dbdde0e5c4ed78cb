"""Messages inside a node by memory: what it promises beside the right answers, which
test_alltoall.py holds it to."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from runner import Runner, with_a_name_each

BY_MEMORY = "spread:window=0,carrier=memory"


@pytest.mark.timeout(60)
@pytest.mark.parametrize("ranks", [2, 3])
def test_the_host_goes_on_while_a_rank_waits(runner: Runner, ranks: int) -> None:
    program = runner.program("progress")
    choices = [BY_MEMORY, "bruck:radix=2,carrier=memory"]
    runner.native(ranks, [program, "native"]).expect_ok()
    runner.tasuki(ranks, [program, *choices]).expect_ok()


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("variable", "value", "word"),
    [("TASUKI_MEMORY", "off", "off"), ("TASUKI_MEMORY_LIMIT", "20K", "TASUKI_MEMORY_LIMIT")],
)
def test_without_memory_the_host_carries_and_it_is_said(
    runner: Runner, variable: str, value: str, word: str
) -> None:
    settings = {"TASUKI_ALLTOALL": BY_MEMORY, variable: value}
    result = runner.tasuki(3, [runner.program("life"), "once"], settings)
    result.expect_ok()
    assert len(result.lines_of_tasuki()) == 1, result.explain()
    assert word in result.lines_of_tasuki()[0], result.explain()
    assert "ran native" in result.output, result.explain()


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("variable", "value", "lines"),
    [("TASUKI_MEMORY", "off", 0), ("TASUKI_MEMORY_LIMIT", "20K", 1)],
)
def test_learning_without_memory(
    runner: Runner, variable: str, value: str, lines: int, tmp_path: Path
) -> None:
    """It is said if the user did not ask for it, without a word of what runs beside the calls."""
    settings = {"TASUKI_ALLTOALL": "auto", "TASUKI_CACHE": str(tmp_path), variable: value}
    result = runner.tasuki(2, [runner.program("learning"), "100"], settings)
    result.expect_ok()
    told = result.lines_of_tasuki()
    assert len(told) == lines, result.explain()
    assert all(value in line or variable in line for line in told), result.explain()


@pytest.mark.timeout(60)
def test_a_small_limit_makes_do(runner: Runner) -> None:
    settings = {"TASUKI_ALLTOALL": BY_MEMORY, "TASUKI_MEMORY_LIMIT": "64K"}
    result = runner.tasuki(3, [runner.program("life"), "once"], settings)
    result.expect_ok()
    assert f"ran {BY_MEMORY}" in result.output, result.explain()


@pytest.mark.timeout(60)
def test_ranks_on_nodes_of_their_own_share_nothing(runner: Runner) -> None:
    settings = {"TASUKI_ALLTOALL": BY_MEMORY, "TASUKI_PLACEMENT": "1"}
    result = runner.tasuki(3, [runner.program("life"), "once"], settings)
    result.expect_ok()
    assert not result.lines_of_tasuki(), result.explain()


def placement_told(
    runner: Runner, folder: Path, before: Sequence[str] = (), **settings: str
) -> str:
    """Of three ranks, as the report has it; `before` stands before each rank's command."""
    argv = [runner.program("life"), "once"]
    if not runner.native(3, [*before, *argv], settings).says_ok():
        pytest.skip(f"{runner.host.name} itself does not run so")
    report = folder / "report.json"
    ours = {"TASUKI_ALLTOALL": BY_MEMORY, "TASUKI_REPORT": str(report), "EXPECT_TASUKI": "1"}
    command = [*before, str(runner.tasuki_command), "run", *argv]
    runner.native(3, command, {**settings, **ours}).expect_ok()
    (communicator,) = json.loads(report.read_text())["communicators"]
    return communicator["placement"]


@pytest.mark.timeout(90)
def test_ranks_of_one_boot_are_one_node(runner: Runner, tmp_path: Path) -> None:
    assert placement_told(runner, tmp_path) == "1x3"


@pytest.mark.timeout(90)
def test_containers_of_one_launcher_are_one_node(runner: Runner, tmp_path: Path) -> None:
    """With a host name each, as containers have: only the MPI library knows that they are."""
    assert placement_told(runner, tmp_path, with_a_name_each()) == "1x3"


@pytest.mark.timeout(90)
def test_ranks_that_mpich_is_told_to_keep_apart_are_nodes(runner: Runner, tmp_path: Path) -> None:
    if not runner.host.name.startswith("mpich"):
        pytest.skip("a setting of MPICH")
    assert placement_told(runner, tmp_path, MPIR_CVAR_NOLOCAL="1") == "3x1"


POSTED = {
    "TASUKI_ALLTOALL": "spread:carrier=memory",
    "TASUKI_ALLGATHER": "bruck:radix=4,carrier=memory",
    "TASUKI_BARRIER": "dissemination:carrier=memory",
    "TASUKI_SCAN": "one-shot:carrier=memory",
    "TASUKI_EXSCAN": "one-shot:carrier=memory",
    "TASUKI_REDUCE_SCATTER": "pairwise:carrier=memory",
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("mode", ["off", "placement", "exact"])
@pytest.mark.parametrize("ranks", [2, 3])
def test_posted_calls_come_again(runner: Runner, ranks: int, mode: str) -> None:
    settings = {**POSTED, "TASUKI_REPRODUCIBLE": mode}
    argv = [runner.program("posted"), "40"]
    if mode == "off":
        runner.native(ranks, argv).expect_ok()
    runner.tasuki(ranks, argv, settings).expect_ok()


@pytest.mark.timeout(240)
def test_the_limit_holds_for_all_communicators_together(runner: Runner) -> None:
    """Those for which nothing is left go by the host, which is said once, and what is freed serves
    others."""
    argv = [runner.program("memory_limit"), str(512 << 10)]
    runner.native(2, argv, seconds=100).expect_ok()
    settings = {"TASUKI_ALLTOALL": BY_MEMORY, "TASUKI_MEMORY_LIMIT": "512K"}
    result = runner.tasuki(2, argv, settings, seconds=100)
    result.expect_ok()
    told = [line for line in result.lines_of_tasuki() if "TASUKI_MEMORY_LIMIT" in line]
    assert len(told) == 1, result.explain()


@pytest.mark.timeout(180)
def test_sixty_four_ranks_take_little_beside_what_talks(runner: Runner) -> None:
    """Down a tree, round a ring and between all, a few bytes each. Counted are page tables, too."""
    if runner.host.name != "openmpi":
        pytest.skip("what a library takes for its own communicators would be counted with it")
    program = runner.program("memory_use")
    runner.native(4, [program]).expect_ok()
    result = runner.tasuki(64, [program], seconds=150)
    result.expect_ok()
    found = dict(re.findall(r"^(tree|ring|all) (\d+)$", result.output, re.MULTILINE))
    assert found.keys() == {"tree", "ring", "all"}, result.explain()
    assert all(0 < int(kib) <= 4096 for kib in found.values()), result.explain()
