"""`tasuki run --check-reductions`: which call sites depend on the order, with file and line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from runner import PROGRAMS, Result, Runner

RANKS = 4


def marked_line(source: str, mark: str) -> int:
    lines = (PROGRAMS / source).read_text().splitlines()
    (line,) = [number for number, text in enumerate(lines, 1) if f"MARK {mark}" in text]
    return line


def checked(
    runner: Runner, program: Path, tmp_path: Path, **settings: str
) -> tuple[Result, dict[int, dict]]:
    """The run, and its report by lines."""
    report = tmp_path / "report.json"
    settings = {"TASUKI_CHECK_REDUCTIONS": str(report), **settings}
    result = runner.tasuki(RANKS, [program], settings)
    assert result.code == 0 and "FAILED" not in result.output, result.explain()
    document = json.loads(report.read_text())
    assert document["ranks"] == RANKS
    return result, {site["line"]: site for site in document["sites"]}


@pytest.mark.timeout(90)
@pytest.mark.parametrize("mode", ["off", "placement"])
def test_call_sites_that_depend_on_the_order_are_named(
    runner: Runner, mode: str, tmp_path: Path
) -> None:
    program = runner.program("order")
    result, sites = checked(runner, program, tmp_path, TASUKI_REPRODUCIBLE=mode)
    marks = {
        "allreduce": 4,
        "in place": 4,
        "reduce": 1,
        "scan": 1,
        "exscan": 1,
        "scatter": 1,
        "block": 1,
        "complex": 1,
        "own": 1,
    }
    for mark, calls in marks.items():
        site = sites.pop(marked_line("order.c", mark))
        assert site["file"].endswith("order.c"), site
        assert (site["checked"], site["differed"]) == (calls, calls), (mark, site)
        assert (site["unchecked"], site["ranks"]) == (0, RANKS), site
        if mark != "own":
            # 1 and 1 + 2^-52 are neighbours; what is added to -1 then, is not.
            assert (site["ulp"] == 1) == (mark == "exscan") and site["operation"] == "sum", site
    powers = sites.pop(marked_line("order.c", "powers"))
    assert (powers["checked"], powers["differed"], powers["ulp"]) == (3, 0, 0)
    assert powers["function"] in ("independent", "main")  # where it was compiled into
    gaps = sites.pop(marked_line("order.c", "gaps"))
    assert (gaps["checked"], gaps["unchecked"]) == (0, 1), gaps
    assert "for it to join" in gaps["reason"], gaps
    assert not sites
    told = "\n".join(result.lines_of_tasuki())
    assert "on 4 ranks: 9 of 10 call sites gave other results" in told, result.explain()
    assert "calls cannot depend on the order" in told, result.explain()
    assert ("were reproducible" in told) == (mode != "off"), result.explain()
    assert result.says_ok(), result.explain()


@pytest.mark.timeout(60)
def test_results_are_those_without_the_check(runner: Runner) -> None:
    program = [runner.program("order"), "show"]
    plain = runner.tasuki(RANKS, program)
    beside = runner.tasuki(RANKS, program, {"TASUKI_CHECK_REDUCTIONS": "on"})
    sums = [
        [line for line in result.output.splitlines() if line.startswith("sums")]
        for result in (plain, beside)
    ]
    assert sums[0] == sums[1] and len(sums[0]) > 5, beside.explain()


@pytest.mark.timeout(90)
@pytest.mark.parametrize(("source", "interface"), [("order", "mpi"), ("order_f08", "mpi_f08")])
def test_fortran_lines_are_those_of_the_program(
    runner: Runner, source: str, interface: str, tmp_path: Path
) -> None:
    if interface not in runner.host.fortran_interfaces:
        pytest.skip(f"{runner.host.name} has no {interface} here")
    _, sites = checked(runner, runner.fortran_program(f"{source}.f90"), tmp_path)
    site = sites.pop(marked_line(f"{source}.f90", "sum"))
    assert site["file"].endswith(f"{source}.f90")
    assert (site["checked"], site["differed"]) == (1, 1), site
    if source == "order":
        powers = sites.pop(marked_line("order.f90", "powers"))
        assert (powers["checked"], powers["differed"]) == (1, 0), powers
    assert not sites


@pytest.mark.timeout(60)
def test_without_symbols_there_is_the_offset(runner: Runner, tmp_path: Path) -> None:
    compiled = runner.compile("order_stripped", ["order.c"], ["-s"])
    assert compiled.code == 0, compiled.explain()
    report = tmp_path / "report.json"
    settings = {"TASUKI_CHECK_REDUCTIONS": str(report)}
    result = runner.tasuki(RANKS, [runner.program_path("order_stripped")], settings)
    sites = json.loads(report.read_text())["sites"]
    assert len(sites) == 11, result.explain()
    assert all(site["line"] is None and int(site["offset"], 16) > 0 for site in sites)
    assert all(site["module"].endswith("order_stripped") for site in sites)
    assert "order_stripped+0x" in result.output, result.explain()


@pytest.mark.timeout(60)
def test_only_a_file_of_json_is_one(runner: Runner) -> None:
    settings = {"TASUKI_CHECK_REDUCTIONS": "yes"}
    result = runner.tasuki(2, [runner.program("order")], settings)
    assert result.code == 2, result.explain()
    assert 'TASUKI_CHECK_REDUCTIONS (--check-reductions): cannot be "yes"' in result.output, (
        result.explain()
    )
