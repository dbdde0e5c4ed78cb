"""`tasuki list`."""

import json

import pytest
from typer.testing import CliRunner

from tasuki.cli import app

pytest.importorskip("tasuki._core")


def run(*arguments: str):
    return CliRunner().invoke(app, ["list", *arguments])


def test_every_row_is_printed():
    result = run()
    assert result.exit_code == 0
    assert "alltoall/spread" in result.stdout
    assert "alltoall/bruck" in result.stdout


def test_json_on_the_screen_is_nothing_else():
    rows = json.loads(run("alltoall", "--json", "-").stdout)
    assert {row["collective"] for row in rows} == {"alltoall"}
    assert {"collective", "name", "sentence", "cost", "source", "domain", "parameters", "file"} == (
        set(rows[0])
    )


def test_json_in_a_file(tmp_path):
    assert run("--json", str(tmp_path / "rows.json")).exit_code == 0
    assert json.loads((tmp_path / "rows.json").read_text())[0]["name"]


def test_unknown_collective_names_the_known_ones():
    result = run("alltoal")
    assert result.exit_code == 2
    assert "alltoall" in result.stderr
