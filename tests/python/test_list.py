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


def test_reductions_say_what_is_proved():
    rows = {
        f"{row['collective']}/{row['name']}": row
        for row in json.loads(run("--reductions", "--json", "-").stdout)
    }
    assert all(row["same_on_all_ranks"] for row in rows.values())
    assert rows["allreduce/canonical-tree"]["canonical"]
    assert not rows["allreduce/canonical-tree"]["needs_commutativity"]
    assert rows["allreduce/ring"]["needs_commutativity"]
    assert not rows["allreduce/ring"]["same_for_all_chunks"]
    assert not rows["allreduce/node-aware"]["same_for_all_placements"]
    assert "bcast/binomial" not in rows


def test_reductions_of_one_collective():
    result = run("scan", "--reductions")
    assert result.exit_code == 0
    assert "hillis-steele" in result.stdout
    assert "rabenseifner" not in result.stdout
    assert "canon" in result.stdout
    refused = run("bcast", "--reductions")
    assert refused.exit_code == 2
    assert "there are reduce, allreduce" in " ".join(refused.stderr.split())
