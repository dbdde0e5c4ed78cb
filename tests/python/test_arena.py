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


POLICY_KEYS = {
    f"{ratio}_{statistic}"
    for ratio in ("dynamic_over_native", "model_over_nomodel")
    for statistic in ("geomean", "max")
} | {"dynamic_over_best_median", "dynamic_over_best_max", "warm_over_best_median"}


def played(*arguments: str):
    result = run(*SHORT, *arguments, "--json", "-")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_the_defaults_of_noise_and_drift_change_no_digit():
    given = ("--noise", "4", "--drift-at", "2000", "--drift-factor", "1.6", "--drift", "winner")
    assert played() == played(*given)


def test_each_policy_has_its_time():
    document = played()
    summary = document["summary"]["rscc"]
    assert summary.keys() >= POLICY_KEYS
    means = summary["over_best_geomean"]
    assert means.keys() > {"native", "dynamic", "without model", "warm", "pairwise", "ring"}
    for row in document["rows"]:
        best = min(row["fixed_seconds"].values())
        assert row["dynamic_seconds"] / best - 1 == pytest.approx(row["regret"])
        assert row["fixed_seconds"][row["best"]] == best
    assert 1 <= means["warm"] < means["without model"]


def test_noise_and_drift_do_as_told():
    steady = played()
    drifts = played("--drift-at", "1000", "--drift-factor", "3")
    assert drifts["settings"]["drift_at"] == 1000
    assert drifts["summary"]["rscc"]["regret"] == steady["summary"]["rscc"]["regret"]
    for before, after in zip(steady["rows"], drifts["rows"], strict=True):
        best = before["best"]
        ratio = after["fixed_seconds"][best] / before["fixed_seconds"][best]
        assert ratio == pytest.approx((1000 + 3 * 1000) / 2000)
    noisy = played("--noise", "30")["summary"]["rscc"]
    assert noisy["dynamic_over_best_median"] > steady["summary"]["rscc"]["dynamic_over_best_median"]


def test_help_shows_an_example():
    assert "--drift-at 2000" in run("--help").stdout


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
        (("--drift", "host"), "no drift"),
        (("--noise", "-1"), "from 0 to 100"),
        (("--noise", "nan"), "from 0 to 100"),
        (("--drift-factor", "1"), "over 1"),
        (("--drift-factor", "inf"), "over 1"),
        (("--drift-at", "0"), "--drift-at"),
        (("--calls", "5000000000"), "--calls"),
    ],
)
def test_errors_name_the_choices(arguments, sentence):
    result = run(*arguments)
    assert result.exit_code == 2
    assert sentence in result.output
