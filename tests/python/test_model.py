"""`tasuki model`."""

import json

import pytest
from typer.testing import CliRunner

from tasuki.cli import app
from tasuki.output import console
from tasuki.sizes import size_text

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


def predicted(collective, *arguments):
    result = run(
        "predict", collective, "--ranks", "32", "--machine", "primergy", "--sizes", "1M",
        "--json", "-", *arguments,
    )  # fmt: skip
    document = json.loads(result.stdout)
    return {name: line[0] for name, line in document["seconds"].items()}


def test_sizes_are_those_that_decisions_count():
    """A vector is cut into pieces, and blocks of an allgather are parts of the whole."""
    bcast = predicted("bcast", "--no-memory")
    assert bcast["scatter-allgather"] < bcast["binomial"] / 2
    assert bcast["chain:segments=32"] < bcast["chain:segments=8"] < bcast["chain:segments=2"]
    ring = predicted("allgather", "--no-memory")["ring"]
    assert ring < bcast["scatter-allgather"] < 3 * ring


def test_what_is_predicted_is_what_a_run_chooses_from():
    lines = predicted("bcast", "--placement", "8x4")
    for radix in (4, 8, 16):
        assert lines[f"knomial:radix={radix},carrier=memory"] < lines[f"knomial:radix={radix}"]
    assert not any("memory" in name for name in predicted("bcast", "--no-memory"))
    assert "padded-binomial" not in predicted("gather"), "is for blocks of any sizes"
    assert "bruck:radix=2" in predicted("alltoallv")


def test_choices_are_predicted_as_candidates_are():
    """Also where another candidate does the same, or none has these parameters."""
    machine = core.described_machines()[0]["parameters"]
    all_lines = core.predict("alltoall", 8, "8", [64], machine, [], True)
    names = ["spread:window=0", "bruck:radix=2,carrier=memory"]
    chosen = core.predict("alltoall", 8, "8", [64], machine, names)
    assert chosen == {name: all_lines[name] for name in names}
    assert list(core.predict("alltoall", 8, "8", [64], machine, ["bruck:radix=3"])) == [
        "bruck:radix=3"
    ]
    two = core.predict("alltoall", 2, "2", [64], machine, ["spread", "pairwise"])
    assert two["pairwise"] == two["spread:window=0"]
    with pytest.raises(ValueError, match="is no candidate"):
        core.predict("bcast", 8, "8", [64], machine, ["knomial:radix=5"])


def test_the_picture_marks_where_the_best_changes(tmp_path):
    file = tmp_path / "lines.svg"
    result = run(
        "predict", "alltoall", "--ranks", "32", "--placement", "8x4", "--sizes", "64:1M",
        "--machine", "primergy", "--json", "-", "--picture", str(file),
    )  # fmt: skip
    best = json.loads(result.stdout)["best"]
    assert len(best) > 1
    drawn = file.read_text()
    for row in best:
        assert f"<!-- {row['algorithm']}, from {size_text(row['bytes'])} -->" in drawn


def test_tables_cut_no_word(monkeypatch):
    monkeypatch.setattr(console, "_width", 80)
    for arguments in (("show", "primergy"), ("predict", "alltoall", "--machine", "primergy")):
        assert "…" not in run(*arguments).stdout
    assert "off-node ┃" in run("show", "primergy").stdout


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
