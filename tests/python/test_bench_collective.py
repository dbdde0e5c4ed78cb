"""What `tasuki bench collective` asks of its program, and what it makes of the times."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tasuki.bench.support import collective_report, collective_times, report
from tasuki.bench.support.collective_runs import (
    COLLECTIVES,
    FORMS,
    REDUCTIONS,
    Case,
    UnknownCollective,
    algorithms_of,
    in_table,
    parse_record,
    rows_of,
    sizes_of,
    skipped_rows,
)
from tasuki.bench.support.collective_summary import BEST, LEARNT, rows_of_tasuki, summary
from tasuki.bench.support.collective_times import Times, over_another, parse_collectives
from tasuki.bench.support.programs import project_file
from tasuki.cli import app
from tasuki.hosts import Host
from tasuki.native import core

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    import tomli as tomllib


def record(collective: str, size: int, algorithm: str, microseconds: float) -> dict[str, Any]:
    return {
        "mpi": "openmpi",
        "ranks": 4,
        "collective": collective,
        "bytes": size,
        "algorithm": algorithm,
        "ran": algorithm,
        "median_seconds": microseconds * 1e-6,
        "spread": 0.1,
        "repetitions": 25,
    }


def in_turn(*records: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of a cell."""
    first = records[0]["median_seconds"]
    pairs = [
        {"over_first": one["median_seconds"] / first, "spread_over_first": 0.1} for one in records
    ]
    return rows_of([one | pair for one, pair in zip(records, pairs, strict=True)])


def rows() -> list[dict[str, Any]]:
    """Two cells: in one the host is twice as fast as `auto`, in the other half as fast."""
    return [
        *in_turn(record("bcast", 8, "native", 1), record("bcast", 8, "auto", 2)),
        *in_turn(
            record("barrier", 0, "native", 4),
            record("barrier", 0, "auto", 2),
            record("barrier", 0, "dissemination", 1),
        ),
    ]


def test_every_collective_of_the_table_can_be_timed() -> None:
    assert set(COLLECTIVES) - set(FORMS) == {row["collective"] for row in core().algorithms()}
    assert parse_collectives("all") == COLLECTIVES
    assert parse_collectives("scan,bcast,scan") == ["scan", "bcast"]
    with pytest.raises(ValueError, match="no benchmark of 'gossip'; there are: barrier, bcast"):
        parse_collectives("gossip")


def test_every_call_of_the_table_can_be_timed() -> None:
    """Under its own name, but for MPI_Reduce_scatter: that of the row is MPI_Reduce_scatter_block,
    as of others it is the one whose blocks are equal."""
    calls = tomllib.loads(project_file("interpose/calls.toml").read_text())["call"]
    names = {
        "Reduce_scatter": "reduce-scatterv",
        "Reduce_scatter_block": "reduce-scatter",
    }
    timed = {names.get(call["name"], call["name"].lower()): call["collective"] for call in calls}
    assert timed == {name: in_table(name) for name in COLLECTIVES}


def test_what_adds_has_modes() -> None:
    """As the program has it, which knows of each collective whether it adds."""
    entries = project_file("bench/collective/collectives.h").read_text().split("{.name = ")[1:]
    adding = {entry.split('"')[1] for entry in entries if ".adds = 1" in entry}
    assert adding == set(REDUCTIONS)
    assert list(REDUCTIONS) == [name for name in COLLECTIVES if name in REDUCTIONS]


def test_sizes_fit_the_collective() -> None:
    assert sizes_of("barrier", [8, 64]) == [0]
    assert sizes_of("gather", [1, 7, 64]) == sizes_of("gatherv", [1, 7, 64]) == [1, 7, 64]
    for name in REDUCTIONS:
        assert sizes_of(name, [8, 64]) == [8, 64]
        with pytest.raises(ValueError, match="7 bytes are no whole number"):
            sizes_of(name, [7, 8])


def test_algorithms_are_those_of_the_collective_after_the_hosts_own() -> None:
    assert algorithms_of("barrier", "auto") == ["native", "auto"]
    assert algorithms_of("barrier", "all native") == ["native", "dissemination", "binomial-tree"]
    assert algorithms_of("bcast", "chain:segments=4 all")[:2] == ["native", "chain:segments=4"]
    assert algorithms_of("barrier", "auto chain", COLLECTIVES) == ["native", "auto"]
    assert algorithms_of("alltoallw", "all") == algorithms_of("alltoallv", "all")
    assert algorithms_of("gather", "pairwise linear", ["gather", "alltoallw"])[1:] == ["linear"]
    with pytest.raises(ValueError, match="barrier has no algorithm 'chain'; there are: dissem"):
        algorithms_of("barrier", "chain", ["barrier"])
    with pytest.raises(ValueError, match='bcast/binomial has no parameter "foo"; it has carrier'):
        algorithms_of("bcast", "auto binomial:foo=1")


def test_rows_have_the_keys_of_the_project() -> None:
    assert [list(row) for row in rows()] == [
        [
            "mpi",
            "ranks",
            "collective",
            "bytes",
            "algorithm",
            "ran",
            "median_seconds",
            "spread",
            "repetitions",
            "ratio_to_native",
            "certain_ratio_to_native",
        ]
    ] * 5


def test_what_tasuki_does_not_know_is_told_apart() -> None:
    with pytest.raises(UnknownCollective, match="no collective"):
        parse_record('{"unknown": "no collective \\"bcast\\"; known: alltoall"}')


def test_tasuki_is_what_auto_learns_and_else_the_best() -> None:
    chosen = rows_of_tasuki(rows())
    assert [row["algorithm"] for row in chosen] == ["auto", "auto"]
    without = [row for row in rows() if row["algorithm"] != "auto"]
    assert [row["algorithm"] for row in rows_of_tasuki(without)] == ["dissemination"]


def test_the_summary_is_by_host() -> None:
    left_out = [{"mpi": "openmpi", "collective": "scan", "reason": "unknown"}]
    found = summary(rows(), ["openmpi", "mpich"], [], left_out)
    own = found["openmpi"]
    assert own["tasuki_is"] == LEARNT
    assert own["over_native_geomean"] == own["host_over_tasuki_geomean"] == pytest.approx(1.0)
    assert own["over_native_max"] == own["worst_over_host"] == pytest.approx(2.0)
    assert own["worst"]["collective"] == "bcast"
    assert own["certain_over_native_max"] == pytest.approx(2 * (1 - 1.57 * 0.1 / 5))
    assert own["collectives"]["barrier"]["over_native_geomean"] == pytest.approx(0.5)
    assert found["mpich"]["over_native_geomean"] is None
    assert found["left_out"] == left_out
    without = [row for row in rows() if row["algorithm"] != "auto"]
    own = summary(without, ["openmpi"], [], [])["openmpi"]
    assert own["tasuki_is"] == BEST
    assert own["over_native_max"] == pytest.approx(0.25)


@pytest.mark.parametrize("names", [["barrier"], ["bcast", "barrier"]])
def test_table_and_picture(
    names: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    timed = [row for row in rows() if row["collective"] in names]
    outside = record("bcast", 8, "chain", 1) | {"skipped": "native: there is one rank"}
    left_out = [{"mpi": "openmpi", "collective": "scan", "reason": "unknown"}]
    found = summary(timed, ["openmpi"], skipped_rows([outside]), left_out)
    host = Host("openmpi", "openmpi", "5.0", Path("/"), Path("/l"), Path("/m"), {})
    results = report.document("collective", [host], [4], timed, found)
    results["machine"]["busy_processes"] = 1
    collective_report.print_tables(results)
    told = " ".join(capsys.readouterr().out.split())
    assert "x0.50 ±10%" in told
    assert "chain was not run: there is one rank" in told
    assert "openmpi: left out, because Tasuki does not know them: scan" in told
    assert "beside 1 busy processes" in told
    assert "beyond noise it takes at most" in told
    assert ("Tasuki, openmpi 5.0, 4 ranks" in told) == (len(names) > 1)
    picture = tmp_path / "collective.png"
    collective_report.draw(results, picture)
    assert picture.stat().st_size > 1000


def test_the_hosts_own_may_be_from_another_run() -> None:
    cell = rows()[2:]
    others = over_another({0: cell[0] | {"median_seconds": 8e-6}}, cell)
    assert [row["algorithm"] for row in others] == ["auto", "dissemination"]
    assert [row["ratio_to_native"] for row in others] == pytest.approx([0.25, 0.125])
    found = summary([cell[0], *others], ["openmpi"], [], [])["openmpi"]
    assert found["over_native_max"] == pytest.approx(0.25)
    assert found["certain_over_native_max"] is None


def test_beside_busy_processes_the_hosts_own_has_a_run_without_tasuki(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    runs: list[tuple[list[str], bool]] = []

    def measured(
        *given: Any, beside_busy: bool
    ) -> Iterator[tuple[list[dict[str, Any]], list[Any]]]:
        case = given[3]
        runs.append((list(case.algorithms), beside_busy))
        microseconds = 8 if len(case.algorithms) == 1 else 2
        yield in_turn(*(record("bcast", 8, name, microseconds) for name in case.algorithms)), []

    def timed(busy: int, *algorithms: str) -> list[dict[str, Any]]:
        runs.clear()
        times = Times(takes_what_there_is=False, busy=busy)
        host = Host("openmpi", "openmpi", "5.0", Path("/"), Path("/l"), Path("/m"), {})
        sizes_done: list[int] = []
        case = Case("bcast", [8], algorithms, 1, 1)
        assert times.add(host, 2, tmp_path, case, tmp_path, lambda: sizes_done.append(8))
        assert sizes_done == [8]
        assert [row["algorithm"] for row in times.rows] == list(algorithms)
        return times.rows

    monkeypatch.setattr(collective_times, "measure", measured)
    assert timed(0, "native", "chain")[1]["ratio_to_native"] == pytest.approx(1)
    assert runs == [(["native", "chain"], False)]
    assert timed(1, "native", "chain")[1]["ratio_to_native"] == pytest.approx(0.25)
    assert runs == [(["native"], True), (["native", "chain"], True)]
    timed(1, "native")
    assert runs == [(["native"], True)]


def test_wrong_arguments_say_what_was_expected(monkeypatch: pytest.MonkeyPatch) -> None:
    for arguments, message in {
        ("gossip",): "there is no benchmark of 'gossip'",
        ("scan", "--sizes", "4"): "4 bytes are no whole number of them",
        ("reduce-scatterv", "--sizes", "12"): "12 bytes are no whole number of them",
        ("scatterv", "--algorithms", "ring"): "scatterv has no algorithm 'ring'; there are: linear",
        ("scan", "--algorithms", "ring"): "scan has no algorithm 'ring'; there are: linear",
        ("all", "--algorithms", "nonsense"): "has no algorithm 'nonsense'",
    }.items():
        told = CliRunner().invoke(app, ["bench", "collective", *arguments])
        assert told.exit_code == 2
        assert message in " ".join(told.output.split())
