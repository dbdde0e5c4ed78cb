"""Settings that cannot hold, and settings that differ: one message, a defined end, no hang."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from runner import Result, Runner, candidates

SECONDS = 30
"""No run may take longer to see that its settings are wrong."""


def expect_refusal(result: Result, *words: str) -> None:
    """The run ended before MPI_Init returned, not with 0, with one message that has the words."""
    assert result.code not in (0, None), result.explain()
    assert "initialized" not in result.output and not result.says_ok(), result.explain()
    assert len(result.lines_of_tasuki()) == 1, result.explain()
    for word in words:
        assert word in result.lines_of_tasuki()[0], result.explain()


BAD_VALUES = [
    ("TASUKI_ALLTOALL", "nonsense", ("nonsense", "native", "spread", "bruck")),
    ("TASUKI_ALLTOALL", "bruck:size=2", ("size", "radix")),
    ("TASUKI_ALLTOALL", "bruck:radix=1", ("radix", "1")),
    ("TASUKI_ALLTOALL", "bruck:radix=many", ("radix", "many")),
    ("TASUKI_ALLTOALL", "spread:", ("spread",)),
    ("TASUKI_ALLTOALL", "auto:speed=1", ("speed", "model", "kept")),
    ("TASUKI_ALLTOALL", "auto:budget=0", ("auto:budget", '"0"', "1 to 100")),
    ("TASUKI_ALLTOALL", "auto:grouping=best", ("auto:grouping", '"best"', "midpoint", "near-best")),
    ("TASUKI_ALLTOALL", "native:radix=2", ("native", "no parameter", "radix=2")),
    ("TASUKI_CHECK_REDUCTIONS", "/no/such/report.json", ("/no/such", "TASUKI_CHECK_REDUCTIONS")),
    ("TASUKI_BCAST", "ring", ("TASUKI_BCAST", "ring", "binomial")),
    ("TASUKI_COLLECTIVES", "chain", ("TASUKI_COLLECTIVES (--collectives)", "native", "auto")),
    ("TASUKI_DECISIONS", "maybe", ("maybe", "keep", "ignore")),
    ("TASUKI_MEMORY", "some", ("TASUKI_MEMORY (--memory)", "some", "on", "off")),
    ("TASUKI_MEMORY_LIMIT", "64X", ("TASUKI_MEMORY_LIMIT (--memory-limit)", "64X", "64M")),
    ("TASUKI_PLACEMENT", "everywhere", ("everywhere", "TASUKI_PLACEMENT")),
    ("TASUKI_TIME_SLICE", "99", ("TASUKI_TIME_SLICE (--time-slice)", "99", "100 to 100000", "off")),
    ("TASUKI_TIME_SLICE", "1ms", ("1ms", "microseconds")),
]


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("ranks", "bad"),
    [(1, BAD_VALUES[0]), *((3, bad) for bad in BAD_VALUES)],
    ids=lambda what: what[1] if isinstance(what, tuple) else str(what),
)
def test_values_that_cannot_hold(
    runner: Runner, ranks: int, bad: tuple[str, str, tuple[str, ...]]
) -> None:
    variable, value, words = bad
    program = runner.program("life")
    result = runner.tasuki(ranks, [program, "once"], {variable: value}, SECONDS)
    expect_refusal(result, *words)


def by_rank(folder: Path, first: str, others: str) -> Path:
    """A script that starts its arguments as `first` says on rank 0, as `others` says elsewhere."""
    script = folder / "by_rank.sh"
    rank = "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:-$PMIX_RANK}}"
    script.write_text(
        f'#!/bin/sh\nif [ "{rank}" = 0 ]; then exec {first} "$@"; fi\nexec {others} "$@"\n'
    )
    script.chmod(0o755)
    return script


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    ("first", "others"),
    [
        ("TASUKI_ALLTOALL=spread", "TASUKI_ALLTOALL=bruck"),
        ("TASUKI_ALLTOALL=bruck:radix=2", "TASUKI_ALLTOALL=bruck:radix=3"),
        ("", "TASUKI_ALLTOALL=ring"),
        ("TASUKI_PLACEMENT=1", "TASUKI_PLACEMENT=2"),
        ("TASUKI_DECISIONS=ignore", "TASUKI_DECISIONS=keep"),
        ("TASUKI_ALLTOALL=nonsense", "TASUKI_ALLTOALL=spread"),
    ],
)
def test_settings_that_differ(runner: Runner, tmp_path: Path, first: str, others: str) -> None:
    run = f"env {{}} {runner.tasuki_command} run"
    script = by_rank(tmp_path, run.format(first), run.format(others))
    result = runner.native(3, [script, runner.program("life"), "once"], seconds=SECONDS)
    expect_refusal(result)


def another_build(launcher: Path, folder: Path) -> Path:
    """The launcher with copies of its libraries that differ in a byte of what the linker made of
    them: the same version, built from something else."""
    libraries = next(
        place
        for place in (launcher.parents[1] / "lib" / "tasuki", launcher.parents[1] / "interpose")
        if any(place.glob("libtasuki-*.so"))
    )
    (folder / "bin").mkdir()
    (folder / "lib" / "tasuki").mkdir(parents=True)
    for library in libraries.glob("libtasuki-*.so"):
        content = bytearray(library.read_bytes())
        # A note's sizes of name and content, its type, its name: the identity of the build.
        note = content.find(b"\4\0\0\0\x14\0\0\0\3\0\0\0GNU\0")
        assert note > 0, f"{library} has no identity"
        content[note + 16] ^= 0xFF
        (folder / "lib" / "tasuki" / library.name).write_bytes(content)
    copied = folder / "bin" / "tasuki"
    shutil.copy(launcher, copied)
    return copied


@pytest.mark.timeout(60)
def test_another_build_of_the_same_version(runner: Runner, tmp_path: Path) -> None:
    """Its algorithms may be others, whose messages nobody would wait for."""
    assert runner.tasuki_command is not None
    other = another_build(runner.tasuki_command, tmp_path)
    script = by_rank(tmp_path, f"{runner.tasuki_command} run", f"{other} run")
    result = runner.native(3, [script, runner.program("life"), "once"], seconds=SECONDS)
    expect_refusal(result, "the same Tasuki")
    versions = re.findall(r'"(\d\S*\+[0-9a-f]{12})', result.output)
    assert len(set(versions)) == 2, result.explain()
    script = by_rank(tmp_path, f"{other} run", f"{other} run")
    runner.native(3, [script, runner.program("life"), "once"], seconds=SECONDS).expect_ok()


@pytest.mark.timeout(60)
def test_ranks_with_other_decisions(runner: Runner, tmp_path: Path) -> None:
    """Two folders of decisions, one of them damaged: found at the start. Where nothing is learnt
    they do not count."""
    first, second = tmp_path / "first", tmp_path / "second"
    second.mkdir()
    (second / "decisions-0").write_text("tasuki-decisions 1\nrubbish\n")
    run = f"env TASUKI_CACHE={{}} {runner.tasuki_command} run"
    script = by_rank(tmp_path, run.format(first), run.format(second))
    program = runner.program("life")
    result = runner.native(3, [script, program, "once"], seconds=SECONDS)
    expect_refusal(result, f"TASUKI_CACHE={first}", f"TASUKI_CACHE={second}")
    native = {"TASUKI_COLLECTIVES": "native"}
    runner.native(3, [script, program, "once"], native, seconds=SECONDS).expect_ok()


@pytest.mark.timeout(60)
@pytest.mark.parametrize("without", ["first", "others"])
def test_ranks_without_tasuki(runner: Runner, tmp_path: Path, without: str) -> None:
    """Those that have Tasuki wait for the others no longer than they are told, and say so."""
    tasuki = f"env TASUKI_START_TIMEOUT=3 {runner.tasuki_command} run"
    script = by_rank(tmp_path, *(("", tasuki) if without == "first" else (tasuki, "")))
    result = runner.native(3, [script, runner.program("life"), "once"], seconds=SECONDS)
    assert result.code not in (0, None), result.explain()
    assert not result.says_ok(), result.explain()
    assert any("tasuki run" in line for line in result.lines_of_tasuki()), result.explain()


@pytest.mark.timeout(60)
def test_algorithm_outside_its_domain_is_reported_once(runner: Runner) -> None:
    program = runner.program("alltoall", "layouts.c")
    result = runner.tasuki(2, [program, "1", "4", "node-aware@several-nodes"])
    result.expect_ok()
    assert len(result.lines_of_tasuki()) == 1, result.explain()
    assert "node-aware" in result.lines_of_tasuki()[0], result.explain()


@pytest.mark.timeout(60)
def test_verbose_tells_it_once_too(runner: Runner) -> None:
    program = runner.program("alltoall", "layouts.c")
    settings = {"TASUKI_VERBOSE": "1"}
    result = runner.tasuki(2, [program, "1", "4", "node-aware@several-nodes"], settings)
    result.expect_ok()
    told = [line for line in result.lines_of_tasuki() if "does not run on" in line]
    assert len(told) == 1, result.explain()


@pytest.mark.timeout(60)
def test_placement_makes_node_aware_run(runner: Runner) -> None:
    chosen = [choice for choice in candidates() if "several-nodes" in choice]
    program = runner.program("alltoall", "layouts.c")
    for placement in ("2x2", "2", "0,1,0,1"):
        result = runner.tasuki(4, [program, "2", "8", *chosen], {"TASUKI_PLACEMENT": placement})
        result.expect_ok()
        assert not result.lines_of_tasuki(), result.explain()


@pytest.mark.timeout(60)
def test_setting_by_variable_and_by_option(runner: Runner) -> None:
    program = runner.program("life")
    result = runner.tasuki(2, [program, "once"], {"TASUKI_ALLTOALL": "bruck:radix=3"})
    assert "ran bruck:radix=3" in result.output, result.explain()
    result = runner.tasuki(2, ["--alltoall", "ring", program, "once"])
    assert "ran ring" in result.output, result.explain()
    assert not result.lines_of_tasuki(), result.explain()


@pytest.mark.timeout(60)
def test_a_misspelt_variable_is_told_with_the_known_ones(runner: Runner) -> None:
    program = runner.program("life")
    result = runner.tasuki(2, [program, "once"], {"TASUKI_ALLTOAL": "ring"})
    result.expect_ok()
    (line,) = result.lines_of_tasuki()
    assert "nobody reads TASUKI_ALLTOAL; known settings: TASUKI_ALLTOALL, " in line
    assert "TASUKI_MEMORY, " in line and "TASUKI_MPI, TASUKI_MPI_LIBRARY, " in line


@pytest.mark.timeout(60)
def test_calls_that_a_named_algorithm_is_not_for_are_told(runner: Runner) -> None:
    """Of blocks of any size only the two ends of a message know it: no row of gather runs them."""
    program = runner.program("known_arrays")
    result = runner.tasuki(2, [program, "50"], {"TASUKI_GATHER": "binomial"})
    result.expect_ok()
    (line,) = [line for line in result.lines_of_tasuki() if "gather/binomial" in line]
    assert "only the two ends of a message know the sizes" in line


@pytest.mark.timeout(60)
def test_verbose_tells_what_was_learnt(runner: Runner) -> None:
    program = runner.program("learning")
    settings = {"TASUKI_ALLTOALL": "auto:budget=100,kept=0", "TASUKI_VERBOSE": "1"}
    result = runner.tasuki(2, [program, "20000"], settings)
    result.expect_ok()
    assert re.search(r"tasuki: \w+ bytes=\d+ ranks=2 .* runs by \S+", result.output)


@pytest.mark.timeout(60)
def test_the_launcher_of_another_mpi_is_told(runner: Runner) -> None:
    """It would start a world of one rank so many times. Here the program is started alone, with
    what such a launcher puts into the environment."""
    if not runner.host.name.startswith("openmpi"):
        pytest.skip("would ask that launcher for its rank")
    result = runner.alone([runner.program("life"), "once"], {"PMI_SIZE": "2", "PMI_RANK": "0"})
    assert result.returncode == 0, result.stderr
    assert "has started 2 processes, but each is alone" in result.stderr
