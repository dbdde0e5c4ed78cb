"""What `tasuki bench alltoall --predict` makes of predictions."""

import pytest

from tasuki.bench.support.prediction import accuracy, print_accuracy


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
