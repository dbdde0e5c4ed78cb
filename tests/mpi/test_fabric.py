"""A run learns its fabric from TASUKI_FABRIC: by host names, or by the nodes that it is told."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from runner import Runner
from test_settings import by_rank, expect_refusal

ROW = "contention-free@known-routes"
SECONDS = 30


def write_fabric(path: Path, *hosts: str) -> Path:
    """Hosts under leaves of two, by stock routing over three roots."""
    lines = [f"{name} {place // 2}/{place % 3}" for place, name in enumerate(hosts)]
    head = ["tasuki-fabric 1", "chosen-by receiver", f"hosts {len(hosts)}"]
    path.write_text("\n".join([*head, *lines]) + "\n")
    return path


@pytest.fixture
def fabric(tmp_path: Path) -> Path:
    return write_fabric(tmp_path / "routes", "n0", "n1", "n2", "n3", "n4")


@pytest.mark.timeout(120)
def test_told_nodes_are_the_hosts_of_the_file(runner: Runner, fabric: Path) -> None:
    program = runner.program("alltoall", "layouts.c")
    for ranks, placement in ((4, "2x2"), (5, "5x1"), (5, "0,1,2,0,1")):
        settings = {"TASUKI_PLACEMENT": placement, "TASUKI_FABRIC": str(fabric)}
        result = runner.tasuki(ranks, [program, "3", "8", ROW], settings)
        result.expect_ok()
        assert not result.lines_of_tasuki(), result.explain()


@pytest.mark.timeout(60)
def test_hosts_by_name_and_the_option(runner: Runner, tmp_path: Path) -> None:
    fabric = write_fabric(tmp_path / "routes", "somewhere", socket.gethostname())
    program = runner.program("life")
    options = ["--alltoall", "contention-free", "--fabric", fabric]
    result = runner.tasuki(3, [*options, program, "once"])
    assert "ran contention-free" in result.output, result.explain()
    assert not result.lines_of_tasuki(), result.explain()


@pytest.fixture
def one_of_each_kind(runner: Runner) -> Runner:
    """What is said does not depend on the release of an MPI."""
    if runner.host.name not in ("openmpi", "mpich"):
        pytest.skip("tried with openmpi and mpich")
    return runner


@pytest.mark.timeout(60)
def test_unknown_hosts_are_named(one_of_each_kind: Runner, fabric: Path) -> None:
    runner = one_of_each_kind
    program = runner.program("life")
    settings = {"TASUKI_ALLTOALL": "contention-free", "TASUKI_FABRIC": str(fabric)}
    result = runner.tasuki(2, [program, "once"], settings)
    assert result.code == 0 and "ran native" in result.output, result.explain()
    (line,) = result.lines_of_tasuki()
    assert f"host {socket.gethostname()} of rank 0" in line, result.explain()
    assert f"is not in {fabric}" in line, result.explain()
    settings["TASUKI_PLACEMENT"] = "6x1"
    result = runner.tasuki(6, [program, "once"], settings)
    (line,) = result.lines_of_tasuki()
    assert "which has fewer hosts" in line, result.explain()


@pytest.mark.timeout(60)
def test_without_a_fabric_it_says_what_is_missing(one_of_each_kind: Runner) -> None:
    runner = one_of_each_kind
    program = runner.program("life")
    result = runner.tasuki(2, [program, "once"], {"TASUKI_ALLTOALL": "contention-free"})
    (line,) = result.lines_of_tasuki()
    assert "TASUKI_FABRIC" in line, result.explain()


@pytest.mark.timeout(60)
def test_files_that_cannot_be_read_or_differ(
    one_of_each_kind: Runner, fabric: Path, tmp_path: Path
) -> None:
    runner = one_of_each_kind
    program = runner.program("life")
    damaged = tmp_path / "damaged"
    damaged.write_text(fabric.read_text().replace("n3 1/0", "n3 1"))
    result = runner.tasuki(2, [program, "once"], {"TASUKI_FABRIC": str(damaged)}, SECONDS)
    expect_refusal(result, f"{damaged}: line 7: expected LEAF/ROOT")
    nowhere = str(tmp_path / "nowhere")
    result = runner.tasuki(2, [program, "once"], {"TASUKI_FABRIC": nowhere}, SECONDS)
    expect_refusal(result, nowhere, "No such file")
    # Equal names, other contents: as on hosts that do not share their files.
    run = f"cd {{}} && TASUKI_FABRIC=routes {runner.tasuki_command} run"
    other = tmp_path / "elsewhere"
    other.mkdir()
    write_fabric(other / "routes", "n0", "n1", "n2", "n3")
    commands = (f"sh -c '{run.format(folder)} \"$@\"' sh" for folder in (tmp_path, other))
    script = by_rank(tmp_path, *commands)
    result = runner.native(3, [script, program, "once"], seconds=SECONDS)
    expect_refusal(result, "different settings", "TASUKI_FABRIC=routes")
