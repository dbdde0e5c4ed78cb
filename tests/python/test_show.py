"""`tasuki show`."""

import json
import subprocess

import pytest
from typer.testing import CliRunner

from tasuki.cli import app

core = pytest.importorskip("tasuki._core")


def run(*arguments: str):
    return CliRunner().invoke(app, ["show", *arguments])


def test_text_rounds_and_proof():
    result = run("alltoall/bruck", "--ranks", "8")
    assert result.exit_code == 0
    assert "rank 7: input 8 output 8" in result.stdout
    assert "round 3" in result.stdout
    assert "rounds: 3;" in result.stdout
    assert "Proved" in result.stdout


def test_parameters_in_either_form_are_the_same():
    in_name = run("alltoall/bruck:radix=4", "--ranks", "5").stdout
    assert in_name == run("alltoall/bruck", "--ranks", "5", "--param", "radix=4").stdout
    assert in_name != run("alltoall/bruck", "--ranks", "5").stdout


def test_nodes_are_the_hosts_of_a_fabric(tmp_path):
    fabric = tmp_path / "routes"
    fabric.write_text("tasuki-fabric 1\nchosen-by receiver\nhosts 3\na 0/0\nb 0/1\nc 1/0\n")
    arguments = ("alltoall/contention-free", "--fabric", str(fabric), "--json", "-")
    document = json.loads(run(*arguments, "--ranks", "6", "--placement", "3x2").stdout)
    assert document["placement"] == "3x2@0/0,0/1,1/0"
    assert document["proved"]
    assert json.loads(run(*arguments, "--ranks", "2").stdout)["placement"] == "2x1@0/0,0/1"
    too_many = run(*arguments, "--ranks", "4")
    assert too_many.exit_code == 2
    assert "has 3 hosts, the placement 4 nodes" in " ".join(too_many.output.split())
    fabric.write_text("tasuki-fabric 2\n")
    damaged = run(*arguments, "--ranks", "2")
    assert damaged.exit_code == 2
    assert "line 1: expected" in " ".join(damaged.output.split())
    without = run("alltoall/contention-free", "--ranks", "4")
    assert without.exit_code == 2
    assert "no fabric was named, by --fabric FILE or" in " ".join(without.output.split())


def test_placement_reaches_the_schedule():
    document = json.loads(
        run("alltoall/node-aware", "--placement", "2x4", "--ranks", "8", "--json", "-").stdout
    )
    assert document["placement"] == "2x4"
    assert document["proved"]
    across = [m for m in document["messages"] if m["sender"] // 4 != m["receiver"] // 4]
    assert 0 < len(across) < len(document["messages"])


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_picture(tmp_path, ending):
    picture = tmp_path / f"ring.{ending}"
    assert run("alltoall/ring", "--ranks", "6", "--picture", str(picture)).exit_code == 0
    start = picture.read_bytes()[:200]
    assert b"<?xml" in start if ending == "svg" else start.startswith(b"\x89PNG")


def test_dot_can_be_drawn(tmp_path):
    dot = tmp_path / "ring.dot"
    assert run("alltoall/ring", "--ranks", "4", "--dot", str(dot)).exit_code == 0
    try:
        drawn = subprocess.run(["dot", "-Tsvg", dot], capture_output=True, text=True)
    except FileNotFoundError:
        pytest.skip("graphviz is not installed")
    assert "<svg" in drawn.stdout


def test_one_rank_of_very_many():
    result = run("alltoall/bruck", "--ranks", "1000000", "--rank", "999999")
    assert result.exit_code == 0
    assert "rank 999999 of 1000000" in result.stdout


def test_many_ranks_get_a_summary():
    result = run("alltoall/bruck", "--ranks", "100000")
    assert result.exit_code == 0
    assert "Rank 0:" in result.stdout
    assert len(result.stdout.splitlines()) < 5


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["bruck"], "expected COLLECTIVE/NAME"),
        (["alltoall/bruk"], "choose one of native"),
        (["alltoall/native"], "no schedule"),
        (["alltoall/bruck", "--param", "radix=1"], "radix"),
        (["alltoall/ring", "--ranks", "65", "--picture", "x.svg"], "at most 64"),
        (["alltoall/ring", "--ranks", "4", "--picture", "x.jpeg2"], ".svg"),
        (["alltoall/ring", "--ranks", "4", "--rank", "4"], "rank 4"),
        (["alltoall/ring", "--ranks", "2147483648"], "less than or equal to"),
        (["alltoall/ring", "--rank", "2147483648"], "less than or equal to"),
        (["alltoall/ring", "--dot", "/dev/null/x"], "/dev/null is no folder"),
        (["alltoall/ring", "--rank", "1", "--json", "x.json"], "leave out the one or the other"),
        (["alltoall/ring", "--rank", "1", "--dot", "x.dot"], "leave out the one or the other"),
        (["alltoall/ring", "--rank", "1", "--picture", "x.svg"], "leave out the one or the other"),
    ],
)
def test_errors_say_what_was_expected(arguments, sentence):
    result = run(*arguments)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert "Traceback" not in result.output


def test_reductions_are_shown_with_their_order(tmp_path):
    picture = tmp_path / "ring.svg"
    result = run("allreduce/ring", "--ranks", "8", "--picture", str(picture))
    assert result.exit_code == 0, result.output
    assert "reduce right input[7:8] into output[7:8]" in result.stdout
    assert "reduce 7 chunks" in " ".join(result.stdout.split())
    assert "Proved" in result.stdout
    assert "0.0+1.0" in picture.read_text()


def test_the_root_is_told():
    result = run("reduce/canonical-tree", "--ranks", "6", "--root", "4")
    assert result.exit_code == 0, result.output
    assert "root 4" in result.stdout
    document = json.loads(run("bcast/chain", "--root", "2", "--json", "-").stdout)
    assert document["root"] == 2
    assert document["proved"]
    assert run("bcast/chain", "--ranks", "3", "--root", "3").exit_code == 2
