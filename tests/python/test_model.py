"""`tasuki model`."""

import json

import pytest
from typer.testing import CliRunner

from tasuki.cli import app

core = pytest.importorskip("tasuki._core")
if not hasattr(core, "predict"):
    pytest.skip("tasuki._core is older than the predictions", allow_module_level=True)


def run(*arguments: str):
    return CliRunner().invoke(app, ["model", *arguments])


def test_parameters_read_back_from_a_file(tmp_path):
    machine = core.described_machines()[0]
    path = tmp_path / "machine"
    path.write_text(machine["parameters"])
    shown = json.loads(run("show", str(path), "--json", "-").stdout)
    assert shown == json.loads(run("show", machine["name"], "--json", "-").stdout)
    assert shown["off_node"]["latency"] > shown["on_node"]["latency"] > 0
    assert run("show", str(path), "--picture", str(tmp_path / "plogp.svg")).exit_code == 0
    assert (tmp_path / "plogp.svg").exists()


def test_a_machine_that_is_none_is_explained(tmp_path):
    assert "is no described machine" in run("show", "cray").output
    path = tmp_path / "machine"
    path.write_text("rubbish")
    assert "this is no file of P-LogP parameters" in run("show", str(path)).output


def test_predictions_have_lines_and_crossovers(tmp_path):
    result = run(
        "predict", "alltoall", "--ranks", "32", "--placement", "8x4", "--sizes", "64:1M",
        "--json", "-", "--picture", str(tmp_path / "lines.svg"),
    )  # fmt: skip
    document = json.loads(result.stdout)
    assert len(document["sizes"]) == 15
    assert "spread:window=0" in document["seconds"]
    assert all(len(line) == 15 for line in document["seconds"].values())
    assert document["best"][0]["bytes"] == 64
    assert (tmp_path / "lines.svg").exists()
    assert "spread" in run("predict", "alltoall", "--sizes", "64,1M").stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("predict", "alltoal"), "no algorithm for"),
        (("predict", "alltoall", "--placement", "3x3"), "does not make 32 ranks"),
        (("predict", "alltoall", "--sizes", "big"), "is no size"),
    ],
)
def test_errors_say_what_was_expected(arguments, sentence):
    result = run(*arguments)
    assert result.exit_code == 2
    assert sentence in result.output
