"""What the demonstration makes of the runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tasuki import demo
from tasuki.bench.support.programs import ProgramError
from tasuki.bench.support.verdict import verdict
from tasuki.commands.demo import conclusions
from tasuki.demo_picture import draw
from tasuki.hosts import Host

OUTPUT = """grid 64 x 64, 4 ranks, 4096 bytes from each rank to each in a transpose
    step       time   energy          enstrophy
       0     0.0000   6.29924899e-02  4.19993752e+00
run        0.257111 s
latter     0.120000 s (200)
transposes 0.241934 s (1200)
alltoall   0.235421 s
checksum   4d6bd5ffb5449320
""".splitlines()


def runs(way_seconds: dict[str, list[float]]) -> dict[str, list[demo.Run]]:
    return {
        way: [run_of(seconds, seconds + 0.5) for seconds in some]
        for way, some in way_seconds.items()
    }


def run_of(seconds: float, whole: float = 0.0, checksum: str = "c0ffee") -> demo.Run:
    return demo.Run(seconds, seconds / 40, seconds / 2, seconds / 4, checksum, whole)


def trial_of(*checksums: str) -> demo.Trial:
    """Of a host for each."""
    return demo.Trial(
        {f"host {i}": {demo.WITHOUT: run_of(1.0, 1.5, bits)} for i, bits in enumerate(checksums)}
    )


def some_rows() -> list[dict]:
    times = {
        demo.WITHOUT: [2.0, 1.9, 2.0, 2.1],
        "bruck": [1.0, 1.1, 1.8, 1.1],
        "spread": [2.0, 1.0, 4.0, 2.0],
    }
    return demo.rows_of("openmpi", 4, 64, 40, runs(times))


def test_the_output_of_the_example_is_read() -> None:
    expected = demo.Run(0.257111, 0.0006, 0.241934, 0.235421, "4d6bd5ffb5449320")
    assert demo.parse_output(OUTPUT) == expected


def test_an_incomplete_output_is_refused() -> None:
    with pytest.raises(ProgramError, match="checksum"):
        demo.parse_output(OUTPUT[:-1])
    with pytest.raises(ProgramError, match="unexpected"):
        demo.parse_output([line for line in OUTPUT if not line.startswith("latter")])


def test_a_verdict_needs_runs_that_do_not_overlap() -> None:
    rows = some_rows()
    assert [row["ratio_to_native"] for row in rows] == [1.0, 0.55, 1.0]
    assert verdict(rows[1], rows[0]) == "faster"
    assert verdict(rows[0], rows[1]) == "slower"
    assert verdict(rows[2], rows[0]) == "no clear difference"
    rows[1]["repetitions"] = 3
    assert verdict(rows[1], rows[0]) == "too few runs to tell"


def test_the_summary_tells_what_was_faster_and_what_was_not() -> None:
    summary = demo.summary(some_rows(), {4: trial_of("cafe", "cafe")})
    assert summary["answers_are_identical"]
    assert summary["cases"][0]["bytes_per_pair"] == 4096
    assert summary["cases"][0]["steps"] == {"openmpi": 40}
    assert conclusions(summary) == [
        "All runs of as many steps gave the same bits.",
        "openmpi, 4 ranks, 40 steps, against the run without Tasuki: faster: bruck (x0.55); "
        "no clear difference: spread (x1.00).",
        "  With starting and ending the job: bruck x0.64, spread x1.00.",
    ]


def test_one_other_bit_is_noticed() -> None:
    rows = some_rows()
    rows[1]["checksums"].append("c0ffef")
    summary = demo.summary(rows, {4: trial_of("cafe", "cafe")})
    assert not summary["answers_are_identical"]
    assert conclusions(summary)[0] == "The answers are NOT the same."


def test_hosts_are_compared_by_as_many_steps_on_each() -> None:
    """By those of the trial, and of the runs where they take equally many."""
    rows = some_rows()
    other = [row | {"mpi": "mpich", "steps": 90, "checksums": ["decade"]} for row in rows]
    assert demo.summary(rows + other, {4: trial_of("cafe", "cafe")})["answers_are_identical"]
    assert not demo.summary(rows + other, {4: trial_of("cafe", "caff")})["answers_are_identical"]
    for row in other:
        row["steps"] = 40
    assert not demo.summary(rows + other, {4: trial_of("cafe", "cafe")})["answers_are_identical"]


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


@pytest.mark.parametrize(
    ("step_seconds", "steps"),
    [
        ([3e-4] * 5, 3700),
        ([3.1e-4, 2.9e-4, 3e-4, 2.8e-4, 3.2e-4], 3700),
        ([8e-3, 8e-3, 8e-3, 1e-3, 1e-3], 220),
        ([10.0] * 5, demo.FEWEST_STEPS),
        ([1e-6] * 5, demo.MOST_STEPS),
    ],
    ids=["equal", "nearly equal", "some are slow", "all are slow", "all are fast"],
)
def test_steps_fill_a_second_and_fit_the_budget(step_seconds: list[float], steps: int) -> None:
    assert demo.steps_for(dict(zip(demo.WAYS, step_seconds, strict=True))) == steps
    few, most = steps > demo.FEWEST_STEPS, steps < demo.MOST_STEPS
    if few:
        assert steps * sum(step_seconds) * demo.REPETITIONS <= 1.05 * demo.BUDGET_SECONDS
    if few and most and max(step_seconds) < 1.2 * min(step_seconds):
        assert steps * min(step_seconds) >= 1.0


def test_open_mpi_looks_for_network_cards_where_there_may_be_some(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for layer in ("mtl", "btl"):
        monkeypatch.delenv(f"OMPI_MCA_{layer}", raising=False)
    monkeypatch.setattr(demo, "NETWORK_CARDS", (tmp_path / "missing", tmp_path))
    host = Host("openmpi", "openmpi", "5.0", Path("/"), Path("/l"), Path("/m"), {}, (), {"A": "1"})
    quick = {"OMPI_MCA_mtl": "^ofi", "OMPI_MCA_btl": "^ofi", "A": "1"}
    assert demo.starts_at_once(host).variables == quick
    assert demo.starts_at_once(replace(host, abi="mpich")).variables == {"A": "1"}
    monkeypatch.setenv("OMPI_MCA_btl", "self,tcp")
    assert demo.starts_at_once(host).variables == {"OMPI_MCA_mtl": "^ofi", "A": "1"}
    (tmp_path / "hfi1_0").mkdir()
    assert demo.starts_at_once(host).variables == {"A": "1"}


def test_the_picture_is_drawn_in_each_kind(tmp_path: Path) -> None:
    field = tmp_path / "field.raw"
    np.arange(64.0).tofile(field)
    results = {
        "mpi": ["openmpi"],
        "ranks": [4],
        "machine": {"cores": 2, "mpi_versions": {"openmpi": "5.0"}},
        "rows": some_rows(),
        "summary": demo.summary(some_rows(), {4: trial_of("cafe")}),
    }
    files = [tmp_path / "results/demo.png", tmp_path / "results/demo.svg"]
    draw(results, field, "vorticity", files)
    assert all(file.stat().st_size > 1000 for file in files)
