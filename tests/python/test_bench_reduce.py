"""What `tasuki bench reduce` makes of the times of reductions in each mode."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tasuki.bench import reduce
from tasuki.bench.support import reduce_report, report
from tasuki.bench.support.collective_runs import Case
from tasuki.bench.support.reduce_summary import SETTING, rows_of_modes, summary
from tasuki.cli import app
from tasuki.hosts import Host

HOST = Host("openmpi", "openmpi", "5.0", Path("/"), Path("/l"), Path("/m"), {})


def record(size: int, algorithm: str, microseconds: float, mpi: str = "openmpi") -> dict[str, Any]:
    return {
        "mpi": mpi,
        "ranks": 4,
        "collective": "allreduce",
        "bytes": size,
        "algorithm": algorithm,
        "ran": algorithm,
        "median_seconds": microseconds * 1e-6,
        "spread": 0.1,
    }


def rows() -> list[dict[str, Any]]:
    return rows_of_modes(
        [
            record(8, "native", 4),
            record(8, "off/auto", 2),
            record(8, "placement/auto", 2),
            record(8, "exact/auto", 8),
            record(65536, "native", 40),
            record(65536, "off/auto", 40),
            record(65536, "exact/auto", 40),
        ],
        [record(8, SETTING, 6)],
    )


def test_each_mode_is_compared_with_off_and_the_hosts_own() -> None:
    ratios = {
        (row["bytes"], row["mode"]): (row["ratio_to_native"], row["ratio_to_off"]) for row in rows()
    }
    assert ratios[8, "exact"] == pytest.approx((2.0, 4.0))
    assert ratios[8, SETTING] == pytest.approx((1.5, 3.0))
    assert ratios[65536, "native"] == pytest.approx((1.0, 1.0))
    without = rows_of_modes([record(8, "native", 4)], [])
    assert without[0]["ratio_to_off"] is None


def test_the_closest_setting_is_named_and_whether_it_is_in_effect() -> None:
    openmpi = reduce.closest_setting(replace(HOST, name="openmpi-debian"))
    assert openmpi is not None and openmpi["variable"] == "OMPI_MCA_coll_han_reproducible"
    assert not openmpi["in_effect"] and "several nodes" in openmpi["why_not"]
    intel = reduce.closest_setting(replace(HOST, name="intel"))
    assert intel == {"variable": "I_MPI_CBWR", "value": "2", "in_effect": True, "why_not": ""}
    assert reduce.closest_setting(replace(HOST, name="mpich")) is None


def test_the_summary_is_over_all_and_by_host() -> None:
    found = summary(rows(), ["openmpi", "mpich"], 1.5)
    for told in (found, found["openmpi"]):
        assert told["placement_over_off_geomean"] == pytest.approx(1.0)
        assert told["exact_over_off_geomean"] == pytest.approx(2.0)
        assert told["exact_over_off_large_geomean"] == pytest.approx(1.0)
        assert told["reproducible_native_over_native_geomean"] == pytest.approx(1.5)
        assert told["local_exact_over_plain"] == 1.5
    assert found["mpich"]["exact_over_off_geomean"] is None


def test_tables_and_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = summary(rows(), ["openmpi"], 1.5)
    left_out = [{"mpi": "openmpi", "collective": "scan", "reason": "unknown"}]
    found |= {"skipped": [], "left_out": left_out}
    results = report.document("reduce", [HOST], [4], rows(), found)
    reduce_report.print_tables(results)
    told = " ".join(capsys.readouterr().out.split())
    assert "allreduce: openmpi 5.0, 4 ranks" in told
    assert "exact / off, from 64 KiB │ 1.000 │ 1.000" in told
    assert "takes 1.50 times as long as a plain loop" in told
    assert "openmpi: left out, because Tasuki does not know them: scan" in told
    picture = tmp_path / "reduce.svg"
    reduce_report.draw(results, picture)
    assert picture.stat().st_size > 1000


def test_a_host_without_a_setting_has_no_run_of_it() -> None:
    mpich = Host("mpich", "mpich", "5.0", Path("/"), Path("/l"), Path("/m"), {})
    assert not reduce.measure_with_setting(mpich, 2, Path("/x"), Case("scan", [8], [], 1.0, 1))


def test_only_reductions_are_taken() -> None:
    told = CliRunner().invoke(app, ["bench", "reduce", "--collectives", "bcast"])
    assert told.exit_code == 2
    words = " ".join(told.output.replace("\u2502", " ").split())
    assert (
        "there is no benchmark of 'bcast'; there are: reduce, allreduce, reduce-scatter," in words
    )
    assert "reduce-scatterv, scan, exscan; or all" in words
