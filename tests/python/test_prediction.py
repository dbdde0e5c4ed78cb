"""What `tasuki bench alltoall --predict` makes of predictions."""

import pytest

from tasuki.bench.support import alltoall_report
from tasuki.bench.support.prediction import accuracy, add_predictions, print_accuracy
from tasuki.model.found import Parameters
from tasuki.native import core
from tasuki.output import console


def row(algorithm, size, measured, predicted=None):
    told = {"mpi": "mpich", "ranks": 4, "bytes": size, "algorithm": algorithm}
    told["median_seconds"] = measured
    return told if predicted is None else told | {"predicted_seconds": predicted}


ROWS = [
    row("native", 64, 1e-6),
    row("bruck", 64, 2e-6, 1e-6),
    row("spread", 64, 4e-6, 5e-6),
    row("bruck", 4096, 6e-6, 3e-6),
    row("spread", 4096, 4e-6, 4e-6),
]


def test_errors_and_what_it_costs_to_believe_the_model(capsys):
    told = accuracy(ROWS, {"mpich, 4 ranks": "measured"})
    assert told["median_error"] == pytest.approx((0.25 + 0.5) / 2)
    assert told["algorithms"]["bruck"] == {"median_error": 0.5, "median_ratio": 0.5}
    assert (told["cases"], told["best_is_true_best"]) == (2, 1)
    assert told["predicted_best_over_best_median"] == pytest.approx(1.25)
    assert told["predicted_best_over_best_max"] == pytest.approx(1.5)
    print_accuracy(told)
    assert "in 1 of 2 cases" in " ".join(capsys.readouterr().out.split())


def test_nothing_predicted_is_no_error():
    told = accuracy(ROWS[:1], {})
    assert (told["cases"], told["median_error"]) == (0, None)
    print_accuracy(told)


def results(rows):
    summary = {
        "cases": 2,
        "cases_where_native_is_fastest": 1,
        "skipped": [],
        "prediction": accuracy(rows, {"mpich, 4 ranks": "measured"}),
    }
    rows = [{"spread": 0.1, "ratio_to_native": 1.0, **each} for each in rows]
    machine = {"mpi_versions": {"mpich": "5.0"}}
    return {
        "mpi": ["mpich"], "ranks": [4], "rows": rows, "summary": summary, "machine": machine,
    }  # fmt: skip


def without_predictions(rows):
    return [{key: each[key] for key in each if key != "predicted_seconds"} for each in rows]


def test_the_table_lays_predictions_beside_times(capsys, monkeypatch):
    monkeypatch.setattr(console, "_width", 120)
    alltoall_report.print_tables(results(ROWS))
    printed = capsys.readouterr().out
    for predicted in ("~1 us", "~5 us", "~3 us", "~4 us"):
        assert predicted in printed
    assert "The model's error is" in printed
    alltoall_report.print_tables(results(without_predictions(ROWS)))
    assert "~1 us" not in capsys.readouterr().out


def test_the_picture_has_a_dotted_line_for_each_prediction(tmp_path):
    def dotted(rows):
        file = tmp_path / "alltoall.svg"
        alltoall_report.draw(results(rows), file)
        return file.read_text().count("stroke-dasharray")

    assert dotted(without_predictions(ROWS)) == 0
    assert dotted(ROWS) == len({"bruck", "spread"})


def test_rows_are_predicted_by_their_own_sizes_and_parameters():
    machine = core().described_machines()[0]["parameters"]
    parameters = Parameters(machine, "described", measured=False)
    names = ("native", "spread", "bruck:radix=3", "pairwise:carrier=memory")
    rows = [row(name, size, 1e-6) for size in (64, 4096) for name in names]
    add_predictions(rows, 4, parameters)
    assert all(("predicted_seconds" in each) == (each["algorithm"] != "native") for each in rows)
    for name, full in (("spread", "spread:window=0"), ("bruck:radix=3", "bruck:radix=3")):
        line = core().predict("alltoall", 4, "4", [64, 4096], machine, [name])[full]
        assert [r["predicted_seconds"] for r in rows if r["algorithm"] == name] == line
