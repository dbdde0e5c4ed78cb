"""What the benchmarks make of their programs' output, and how they refuse."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from tasuki.bench import alltoall, benchmarks, off_cost, reduce_local, step_machine
from tasuki.bench.support import alltoall_report, options, report
from tasuki.bench.support.algorithms import algorithm_names
from tasuki.bench.support.busy_processes import busy_processes
from tasuki.bench.support.collective_runs import parse_record, rows_of
from tasuki.bench.support.launch import launch
from tasuki.bench.support.outcome import deliver, keeping
from tasuki.bench.support.programs import ProgramError, project_file
from tasuki.bench.support.ratios import certain_median, certain_of
from tasuki.cli import app
from tasuki.hosts import Compiler, Host
from tasuki.picture import new_figure, save_figure

RECORDS: list[dict[str, Any]] = [
    {
        "bytes": 64,
        "algorithm": "native",
        "ran": "native",
        "repetitions": 9,
        "median_seconds": 2e-6,
        "minimum_seconds": 1e-6,
        "spread": 0.1,
        "over_first": 1.0,
        "spread_over_first": 0.0,
    },
    {
        "bytes": 64,
        "algorithm": "bruck",
        "ran": "bruck:radix=2",
        "repetitions": 9,
        "median_seconds": 1e-6,
        "minimum_seconds": 1e-6,
        "spread": 12.5,
        "over_first": 0.5,
        "spread_over_first": 0.2,
    },
    {"bytes": 64, "algorithm": "node-aware", "skipped": "native: it needs several nodes"},
]


def placed_records() -> list[dict[str, Any]]:
    placed = {"mpi": "openmpi", "ranks": 4, "collective": "alltoall"}
    return [{**placed, **record} for record in RECORDS]


def shell_host(script: Path, text: str) -> Host:
    """A host whose launcher is a shell script."""
    script.write_text(f"#!/bin/sh\n{text}\n")
    script.chmod(0o755)
    compilers = {"c": Compiler(("cc",))}
    return Host("shell", "mpich", "1.0", script.parent, script, script, compilers)


def results() -> dict[str, Any]:
    records = placed_records()
    rows = alltoall.of_alltoall(rows_of(records))
    host = Host("openmpi", "openmpi", "5.0", Path("/"), Path("/l"), Path("/m"), {})
    summary = alltoall.summary(rows, records[2:])
    return report.document("alltoall", [host], [4], rows, summary)


def test_every_benchmark_is_found_and_has_an_example() -> None:
    names = [module.__name__.rpartition(".")[2] for module in benchmarks()]
    assert {"alltoall", "off_cost", "step_machine"} <= set(names)
    for name in names:
        told = CliRunner().invoke(app, ["bench", name.replace("_", "-"), "--help"]).output
        assert "Example: tasuki bench" in told


def test_rows_have_exactly_the_keys_of_the_project() -> None:
    document = results()
    assert list(document) == ["benchmark", "machine", "mpi", "ranks", "rows", "summary"]
    assert document["mpi"] == ["openmpi"]
    assert document["machine"]["mpi_versions"] == {"openmpi": "5.0"}
    assert [list(row) for row in document["rows"]] == [
        ["mpi", "ranks", "bytes", "algorithm", "median_seconds", "spread", "ratio_to_native"]
    ] * 2
    assert [row["ratio_to_native"] for row in document["rows"]] == [1.0, 0.5]
    assert json.loads(json.dumps(document)) == document


def test_the_summary_names_the_fastest_and_what_was_skipped() -> None:
    summary = results()["summary"]
    assert summary["cases"] == 1
    assert summary["cases_where_native_is_fastest"] == 0
    assert summary["fastest"][0]["algorithm"] == "bruck"
    assert summary["skipped"][0]["reason"] == "it needs several nodes"


def test_an_unexpected_line_ends_the_benchmark() -> None:
    for line in ("hello\n", "[1]\n", '{"bytes": 1}\n'):
        with pytest.raises(ProgramError, match="unexpected line"):
            parse_record(line)


def test_table_and_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alltoall_report.print_tables(results())
    told = " ".join(capsys.readouterr().out.split())
    assert "*1 us" in told
    assert "x0.50 ±>999%" in told
    assert "node-aware was not run: it needs several nodes" in told
    for kind in ("png", "svg"):
        picture = tmp_path / "new" / f"alltoall.{kind}"
        alltoall_report.draw(results(), picture)
        assert picture.stat().st_size > 1000


def test_algorithms_come_from_the_table() -> None:
    names = algorithm_names("alltoall")
    assert {"spread", "bruck", "pairwise"} <= set(names)
    assert len(names) == (project_file("algorithms.toml").read_text()).count('= "alltoall"')


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["alltoall", "--algorithms", "nosuch"], "no algorithm 'nosuch'; there are: spread"),
        (["alltoall", "--algorithms", "spread:foo=1"], 'no parameter "foo"; it has window'),
        (["collective", "bcast", "--algorithms", "binomial:foo=1"], 'no parameter "foo"'),
        (["reduce-local", "--types", "MPI_INT, MPI_FOO"], "for 'MPI_FOO'; there are kernels for"),
        (["reduce-local", "--operations", "MPI_BAR"], "for 'MPI_BAR'; there are kernels for"),
    ],
)
def test_what_there_is_not_is_found_before_a_run(
    arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(options, "parse_hosts", lambda text: [])
    told = CliRunner().invoke(app, ["bench", *arguments])
    assert told.exit_code == 2
    assert message in " ".join(told.output.split())


def test_a_kernel_is_named_as_mpi_does() -> None:
    names = project_file(reduce_local.NAMES).read_text()
    assert reduce_local.parse_names(names, reduce_local.TYPES, "MPI_INT, MPI_2INT,MPI_INT") == [
        "MPI_INT",
        "MPI_2INT",
    ]
    assert reduce_local.parse_names(names, reduce_local.OPERATIONS, "MPI_SUM") == ["MPI_SUM"]


def test_defaults_are_told_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("collective", "reduce-local", "transport"):
        told = CliRunner().invoke(app, ["bench", name, "--help"]).output
        assert "…" not in told


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--mpi", "lam"], "there is no MPI 'lam'"),
        (["--mpi", "openmpi", "--sizes", "3:4"], "'3' is none"),
        (["--mpi", "openmpi", "--ranks", "0"], "no rank counts"),
        (["--mpi", "openmpi", "--picture", "a.gif"], ".png, .svg, .pdf"),
    ],
)
def test_wrong_options_say_what_was_expected(
    arguments: list[str], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "openmpi" in arguments:
        monkeypatch.setattr(options, "host_named", lambda name: results)
    told = CliRunner().invoke(app, ["bench", "alltoall", *arguments])
    assert told.exit_code == 2
    assert message in " ".join(told.output.split())


def test_a_busy_machine_is_refused_unless_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report, "busy", lambda: "other processes are using 2.0 of 2 cores")
    told = CliRunner().invoke(app, ["bench", "off-cost"])
    assert told.exit_code == 1
    assert "no moment to measure: other processes are using 2.0 of 2 cores" in " ".join(
        told.output.split()
    )
    report.check_is_quiet(allow_busy=True)


def test_the_step_machine_is_judged_by_its_worst_ratio() -> None:
    rows = [{"bytes": size, "ratio": ratio} for size, ratio in ((8, 1.1), (64, 9.0), (4096, 1.03))]
    found = step_machine.summary(rows)
    assert found["greatest_ratio"] == {"8 bytes": 1.1, "4 KiB and more": 1.03}
    assert found["holds"] == {"8 bytes": True, "4 KiB and more": False}
    assert step_machine.summary(rows[1:2])["holds"] == {"8 bytes": None, "4 KiB and more": None}


def test_the_cost_of_being_there_is_a_difference() -> None:
    rows = [
        {"median_seconds": 3e-9, "instructions_per_call": 17.0},
        {"median_seconds": 24e-9, "instructions_per_call": 43.0},
    ]
    found = off_cost.summary(rows)
    assert found["cost_nanoseconds"] == pytest.approx(21.0)
    assert not found["holds"]
    assert found["cost_instructions"] == 26.0
    assert (
        off_cost.summary([row | {"instructions_per_call": None} for row in rows])[
            "cost_instructions"
        ]
        is None
    )


def test_a_library_that_is_not_there_is_refused() -> None:
    told = CliRunner().invoke(app, ["bench", "off-cost", "--library", "/nosuch.so"])
    assert told.exit_code == 2
    assert "--library /nosuch.so: no such file" in told.output


@pytest.mark.skipif(shutil.which("ldd") is None, reason="ldd is missing")
def test_a_library_that_the_loader_leaves_out_is_told(tmp_path: Path) -> None:
    text = tmp_path / "libtasuki-mpich.so"
    text.write_text("no library")
    with pytest.raises(ProgramError, match=r"cannot be preloaded into"):
        off_cost.check_is_loaded(Path(sys.executable), off_cost.environment(text), text)


def test_a_program_that_fails_is_told_with_its_words(tmp_path: Path) -> None:
    host = shell_host(tmp_path / "mpiexec", "echo out; echo broken >&2; exit 3")
    lines = launch(host, 2, ["program"], 30, under_tasuki=False)
    assert next(lines) == "out\n"
    with pytest.raises(ProgramError, match=r"shell, 2 ranks: ended with code 3:\nbroken"):
        next(lines)


def comes_to_an_end(process: int) -> bool:
    """Whether the process is gone, or will be: a signal sent is not yet a signal received."""
    state = Path(f"/proc/{process}/stat")
    for _ in range(1000):
        try:
            if state.read_text().split()[2] == "Z":
                return True
        except OSError:
            return True
        time.sleep(0.01)
    return False


def test_a_program_that_hangs_is_ended(tmp_path: Path) -> None:
    host = shell_host(tmp_path / "mpiexec", "sleep 60 & echo $!; wait")
    lines = launch(host, 2, ["program"], 0.5, under_tasuki=False)
    sleeper = int(next(lines))
    with pytest.raises(ProgramError, match="no end after"):
        next(lines)
    assert comes_to_an_end(sleeper)


def test_what_a_launcher_says_of_ranks_that_were_ended_is_no_result(tmp_path: Path) -> None:
    farewell = "trap 'echo; echo BAD TERMINATION; exit 143' TERM"
    host = shell_host(tmp_path / "mpiexec", f"{farewell}; echo 1; sleep 60 & wait")
    lines = launch(host, 2, ["program"], 0.5, under_tasuki=False)
    assert next(lines) == "1\n"
    with pytest.raises(ProgramError, match="no end after"):
        next(lines)


def test_busy_processes_end_with_the_block() -> None:
    with busy_processes(3) as processes:
        assert len(processes) == 3
        assert all(Path(f"/proc/{process}").exists() for process in processes)
    assert not any(Path(f"/proc/{process}").exists() for process in processes)


def test_busy_processes_end_with_a_killed_parent() -> None:
    program = (
        "from tasuki.bench.support.busy_processes import busy_processes\n"
        "with busy_processes(1) as processes:\n"
        "    print(*processes, flush=True)\n"
        "    input()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(project_file("python"))},
    ) as parent:
        assert parent.stdout is not None
        process = int(parent.stdout.readline())
        parent.kill()
        parent.wait()
        assert comes_to_an_end(process)


def test_only_the_wanted_settings_reach_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TASUKI_ALLTOALL", "ring")
    monkeypatch.setenv("TASUKI_PLACEMENT", "2")
    monkeypatch.setenv("TASUKI_TIME_SLICE", "")
    host = shell_host(tmp_path / "mpiexec", "env | grep TASUKI_ || echo none")
    assert list(launch(host, 2, ["x"], 30, under_tasuki=False)) == ["none\n"]
    forced = launch(host, 2, ["x"], 30, alltoall="bruck", under_tasuki=False)
    assert list(forced) == ["TASUKI_ALLTOALL=bruck\n"]
    # The slices of the scheduler are no choice of the benchmark's ...
    monkeypatch.setenv("TASUKI_TIME_SLICE", "250")
    assert list(launch(host, 2, ["x"], 30, under_tasuki=False)) == ["TASUKI_TIME_SLICE=250\n"]
    # ... except where it compares with the host's own.
    monkeypatch.delenv("TASUKI_TIME_SLICE")
    beside_host = launch(host, 2, ["x"], 30, under_tasuki=False, beside_host=True)
    assert list(beside_host) == ["TASUKI_TIME_SLICE=off\n"]


def test_beside_busy_processes_ranks_are_in_our_session(tmp_path: Path) -> None:
    host = shell_host(tmp_path / "mpiexec", "cut -d' ' -f5,6 /proc/$$/stat")
    for beside_busy in (False, True):
        told = launch(host, 2, ["x"], 30, under_tasuki=False, beside_busy=beside_busy)
        group, session = map(int, next(told).split())
        assert (session == os.getsid(0)) is beside_busy
        assert group != os.getpgrp()


def test_how_certain_a_ratio_is_depends_on_the_spread_and_the_repetitions() -> None:
    assert certain_of(2.0, 0.1, 25) == pytest.approx(2 * (1 - 1.57 * 0.1 / 5))
    assert certain_of(0.5, 0.0, 25) == 0.5
    assert certain_of(2.0, 9.0, 25) == 0
    assert certain_median([1.0, 2.0, 3.0, 4.0, 5.0]) == pytest.approx(
        3 * (1 - 1.57 * 2 / 3 / 5**0.5)
    )
    assert certain_median([2.0]) == 2.0


def end_by_signal() -> None:
    sys.exit(128 + signal.SIGTERM)


def fail_in_a_program() -> None:
    raise ProgramError("mpich, 8 ranks: no end after 60 s")


@pytest.mark.parametrize(
    ("ending", "reason", "code"),
    [(end_by_signal, "ended by a signal", 143), (fail_in_a_program, "no end after 60 s", 1)],
)
def test_what_was_measured_before_an_early_end_is_kept(
    ending: Callable[[], None],
    reason: str,
    code: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    rows: list[int] = []
    with pytest.raises(typer.Exit) as nothing, keeping(rows):
        ending()
    assert nothing.value.exit_code == code

    shown: list[object] = []
    file = tmp_path / "results.json"
    with keeping(rows) as measuring:
        rows.append(1)
        ending()
    with pytest.raises(typer.Exit) as ended:
        deliver({"rows": rows}, file, shown.append, measuring=measuring)
    assert ended.value.exit_code == code
    assert shown == [{"rows": [1]}]
    assert reason in json.loads(file.read_text())["ended_early"]
    assert "What was measured before is above" in capsys.readouterr().err


def test_a_picture_that_cannot_be_drawn_takes_nothing_with_it(tmp_path: Path) -> None:
    file = tmp_path / "rows.json"
    with pytest.raises(typer.Exit):
        deliver(
            {"rows": [1]},
            file,
            lambda results: None,
            lambda results, picture: save_figure(new_figure(1, 1), picture),
            Path("/dev/null/picture.png"),
        )
    assert json.loads(file.read_text()) == {"rows": [1]}
