"""What `tasuki bench first-calls` makes of the times of its runs."""

from __future__ import annotations

from tasuki.bench import first_calls


def test_first_calls_cost_what_medians_differ_by() -> None:
    def run(first: float) -> first_calls.Times:
        return {"init_seconds": 1.0, "first_seconds": first, "next_seconds": 0.1}

    found = {
        first_calls.WITHOUT: [run(0.5), run(9.0), run(0.4)],
        first_calls.UNDER: [run(0.75), run(0.7), run(0.8)],
    }
    rows = first_calls.rows_of("mpich", 2, 64, found)
    assert [row["first_seconds"] for row in rows] == [0.5, 0.75]
    assert first_calls.summary(rows) == {
        "first_calls_cost_seconds": [{"mpi": "mpich", "ranks": 2, "seconds": 0.25}]
    }
