"""What the demonstration makes of the runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tasuki import demo
from tasuki.bench.support.programs import ProgramError
from tasuki.commands.demo import conclusions
from tasuki.demo_picture import draw

OUTPUT = """grid 64 x 64, 4 ranks, 4096 bytes from each rank to each in a transpose
    step       time   energy          enstrophy
       0     0.0000   6.29924899e-02  4.19993752e+00
run        0.257111 s
transposes 0.241934 s (1200)
alltoall   0.235421 s
checksum   4d6bd5ffb5449320
""".splitlines()


def runs(way_seconds: dict[str, list[float]]) -> dict[str, list[demo.Run]]:
    return {
        way: [demo.Run(seconds, seconds / 2, seconds / 4, "c0ffee") for seconds in some]
        for way, some in way_seconds.items()
    }


def some_rows() -> list[dict]:
    times = {
        demo.WITHOUT: [2.0, 1.9, 2.0, 2.1],
        "bruck": [1.0, 1.1, 1.8, 1.1],
        "spread": [2.0, 1.0, 4.0, 2.0],
    }
    return demo.rows_of("openmpi", 4, 64, runs(times))


def test_the_output_of_the_example_is_read() -> None:
    assert demo.parse_output(OUTPUT) == demo.Run(0.257111, 0.241934, 0.235421, "4d6bd5ffb5449320")


def test_an_incomplete_output_is_refused() -> None:
    with pytest.raises(ProgramError, match="checksum"):
        demo.parse_output(OUTPUT[:-1])


def test_a_verdict_needs_runs_that_do_not_overlap() -> None:
    rows = some_rows()
    assert [row["ratio_to_native"] for row in rows] == [1.0, 0.55, 1.0]
    assert demo.verdict(rows[1], rows[0]) == "faster"
    assert demo.verdict(rows[0], rows[1]) == "slower"
    assert demo.verdict(rows[2], rows[0]) == "no clear difference"
    rows[1]["repetitions"] = 3
    assert demo.verdict(rows[1], rows[0]) == "too few runs to tell"


def test_the_summary_tells_what_was_faster_and_what_was_not() -> None:
    summary = demo.summary(some_rows(), {4: 40})
    assert summary["answers_are_identical"]
    assert summary["cases"][0]["bytes_per_pair"] == 4096
    assert conclusions(summary) == [
        "Every run gave the same bits.",
        "openmpi, 4 ranks, against the run without Tasuki: faster: bruck (x0.55); "
        "no clear difference: spread (x1.00).",
    ]


def test_one_other_bit_is_noticed() -> None:
    rows = some_rows()
    rows[1]["checksums"].append("c0ffef")
    summary = demo.summary(rows, {4: 40})
    assert not summary["answers_are_identical"]
    assert conclusions(summary)[0] == "The answers are NOT the same."


def test_a_run_without_tasuki_does_not_pass_for_one_with_it() -> None:
    off = "tasuki: 0.1.0 TASUKI_COLLECTIVES=native"
    greeting = f"{off} TASUKI_ALLTOALL=bruck on 4 ranks of Open MPI v5.0.11"
    demo.check_what_ran("bruck", [greeting])
    demo.check_what_ran("native", [f"{off} on 4 ranks of Open MPI v5.0.11"])
    with pytest.raises(ProgramError, match="was not by 'native'"):
        demo.check_what_ran("native", [greeting])
    with pytest.raises(ProgramError, match="was not by 'bruck'"):
        demo.check_what_ran("bruck", ["tasuki: running 'spectral' without Tasuki: no library"])
    fallback = "tasuki: alltoall/bruck does not run on a communicator of 4 ranks: because"
    with pytest.raises(ProgramError, match="because"):
        demo.check_what_ran("bruck", [greeting, fallback])


def test_ranks_that_share_cores_solve_the_same_problem() -> None:
    assert demo.grid_for(2, cores=2) == demo.grid_for(8, cores=2) == 32
    assert demo.grid_for(32, cores=8) == 128


@pytest.mark.parametrize(("seconds", "steps"), [(10.0, 10), (0.5, 20), (0.1, 100), (1e-6, 10_000)])
def test_steps_fit_the_budget(seconds: float, steps: int) -> None:
    pace = {"openmpi": {"bruck": seconds / 2, demo.WITHOUT: seconds / 2}}
    assert demo.steps_for(pace, repetitions=2) == steps


def test_the_picture_is_drawn_in_each_kind(tmp_path: Path) -> None:
    field = tmp_path / "field.raw"
    np.arange(64.0).tofile(field)
    results = {
        "mpi": ["openmpi"],
        "ranks": [4],
        "machine": {"cores": 2, "mpi_versions": {"openmpi": "5.0"}},
        "rows": some_rows(),
        "summary": demo.summary(some_rows(), {4: 40}),
    }
    files = [tmp_path / "results/demo.png", tmp_path / "results/demo.svg"]
    draw(results, field, "vorticity", files)
    assert all(file.stat().st_size > 1000 for file in files)
