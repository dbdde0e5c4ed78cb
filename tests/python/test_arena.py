"""`tasuki arena`."""

import json

import pytest
from typer.testing import CliRunner

from tasuki.cli import app

core = pytest.importorskip("tasuki._core")
if not hasattr(core, "play_arena"):
    pytest.skip("tasuki._core is older than the arena", allow_module_level=True)

SHORT = ("--worlds", "1", "--calls", "2000", "--noise-calls", "10000", "--machine", "rscc")
KEYS = {"best_chosen_fraction", "regret", "drift_recovery_calls", "false_relearnings"}


def run(*arguments: str):
    return CliRunner().invoke(app, ["arena", *arguments])


def test_json_has_the_summary_keys_of_each_machine():
    result = run(*SHORT, "--machine", "cluster", "--json", "-")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert document["benchmark"] == "arena"
    assert document["summary"].keys() == {"rscc", "cluster"}
    for summary in document["summary"].values():
        assert summary.keys() >= KEYS
    assert {"machine", "ranks", "bytes", "best", "chosen", "regret"} <= document["rows"][0].keys()


def test_equal_seeds_give_equal_results():
    first, second = (run(*SHORT, "--seed", "3", "--json", "-").stdout for _ in range(2))
    assert first == second
    assert first != run(*SHORT, "--seed", "4", "--json", "-").stdout


def test_picture_and_table(tmp_path):
    result = run(*SHORT, "--picture", str(tmp_path / "arena.svg"))
    assert result.exit_code == 0
    assert "rscc" in result.stdout
    assert (tmp_path / "arena.svg").stat().st_size > 1000


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--machine", "cray"), "no described machine"),
        (("--grouping", "best"), "no grouping"),
    ],
)
def test_errors_name_the_choices(arguments, sentence):
    result = run(*arguments)
    assert result.exit_code == 2
    assert sentence in result.output
