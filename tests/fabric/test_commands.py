"""`tasuki fabric` as a user meets it."""

import json
import os
import resource
import subprocess
import sys
import time

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from tasuki.commands import fabric as command
from tasuki.fabric.describe import describe
from tasuki.fabric.ibnetdiscover import ibsim_net
from tasuki.fabric.link_loads import shift_stages, stage_peaks
from tasuki.native import core

VERBS = ("show", "simulate", "study", "assign", "schedule", "tables", "verify")


@pytest.fixture
def run():
    """run("show", ...) -> the result of `tasuki fabric show ...`."""
    app = typer.Typer()
    command.register(app)
    app.callback()(lambda: None)
    return lambda *arguments: CliRunner().invoke(app, ["fabric", *map(str, arguments)])


def json_of(result):
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.parametrize("verb", VERBS)
def test_help_ends_with_an_example(run, verb):
    output = run(verb, "--help").output
    assert f"tasuki fabric {verb}" in output[output.rindex("Example:") :]


def test_show(run, tmp_path):
    document = json_of(run("show", "6-ary-2-tree:nodes=30", "--json", "-"))
    assert document["hosts"] == 30
    assert document["switches_per_level"] == [5, 6]
    assert document["roots"] == 6
    picture = tmp_path / "fabric.png"
    assert run("show", "6-ary-2-tree:nodes=30", "--picture", picture).exit_code == 0
    assert picture.read_bytes()[:4] == b"\x89PNG"


def test_study_has_the_stated_keys(run, tmp_path):
    figure = tmp_path / "figure9.svg"
    document = json_of(
        run(
            *("study", "--fabric", "6-ary-2-tree", "--nodes", 16, "--of", 30, "--sets", 50),
            *("--picture", figure, "--json", "-"),
        )
    )
    methods = {"stock", "paper", "balanced", "annealed", "contention-free"}
    assert methods <= set(document["summary"])
    for summary in document["summary"].values():
        assert set(summary) == {"mean", "min", "max", "count_over_1500", "hot_spot_free_fraction"}
        assert summary["min"] <= summary["mean"] <= summary["max"] <= 1700 + 1e-6
    assert document["summary"]["contention-free"]["hot_spot_free_fraction"] == 1.0
    assert document["summary"]["contention-free"]["min"] == pytest.approx(1700)
    assert figure.read_text().startswith("<?xml")


def test_study_of_contiguous_nodes(run, tmp_path):
    figure = tmp_path / "figure10.png"
    document = json_of(
        run(
            *("study", "--fabric", "6-ary-2-tree", "--of", 30, "--contiguous"),
            *("--methods", "stock,contention-free", "--picture", figure, "--json", "-"),
        )
    )
    stock = document["by_nodes"]["stock"]
    assert list(stock) == [str(size) for size in range(3, 31)]
    assert stock["16"] == pytest.approx(1310, rel=0.05)
    assert list(document["by_nodes"]["contention-free"].values()) == pytest.approx([1700] * 28)
    assert figure.exists()


def test_simulate_648_nodes_is_quick_and_small(tmp_path):
    """In a process of its own, so that its memory is its own."""
    begin = os.times()
    subprocess.run(
        [
            *(sys.executable, "-m", "tasuki", "fabric", "simulate", "--fabric", "18-ary-2-tree"),
            *("--json", str(tmp_path / "out.json")),
        ],
        check=True,
        env={**os.environ, "PYTHONPATH": "python", "OMP_NUM_THREADS": "1"},
        capture_output=True,
    )
    end = os.times()
    # Processor time, because the machine may be busy with something else.
    used = end.children_user - begin.children_user
    document = json.loads((tmp_path / "out.json").read_text())
    assert document["hosts"] == 648
    assert document["stages_with_hot_spots"] == 0
    assert used <= 3.5, "start of Python included"
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 2 * 1024 * 1024


def test_simulating_648_nodes_takes_two_seconds_at_most(tree):
    big = tree("18-ary-2-tree")
    hosts = np.arange(648)
    begin = time.process_time()
    stage_peaks(big.routes, hosts, hosts % 18, shift_stages(648))
    assert time.process_time() - begin <= 2.0


@pytest.mark.slow
def test_a_study_of_100_random_jobs_of_648_nodes(run):
    document = json_of(
        run(
            *("study", "--fabric", "18-ary-2-tree", "--nodes", 323, "--sets", 100),
            *("--methods", "stock,paper,balanced", "--json", "-"),
        )
    )
    assert document["summary"]["balanced"]["mean"] >= document["summary"]["stock"]["mean"]


@pytest.fixture
def job(tmp_path):
    path = tmp_path / "job.hosts"
    path.write_text("".join(f"node{host} slots=4\n" for host in (20, 3, 7, 8, 13, 14, 15, 29)))
    return path


def test_assign_writes_what_a_run_needs(run, job, tmp_path):
    out = tmp_path / "job"
    document = json_of(
        run(
            *("assign", "--fabric", "6-ary-2-tree:nodes=30", "--hosts", job),
            *("--chosen-by", "sender", "--out", out, "--json", "-"),
        )
    )
    assert document["stages"] == 7
    assert document["stages_with_hot_spots"] == 0
    rows = document["hosts"]
    for row in rows:
        assert row["root"] == row["offset"]
        assert row["lid"] == 8 * (int(row["host"][4:]) + 1) + row["offset"]
    names = [row["host"] for row in rows]
    assert (out / "hostfile").read_text().split()[::2] == names
    assert (out / "machinefile").read_text().split() == [f"{name}:4" for name in names]
    assert (out / "rankfile").read_text().splitlines()[4] == f"rank 4={names[1]} slot=0"
    assert [name for name, _ in core().fabric_hosts(str(out / "routes"))] == names
    for row in rows[:3]:
        printed = subprocess.run(
            [out / "with-lid-offset.sh", "printenv", "UCX_IB_LID_PATH_BITS"],
            env={**os.environ, "TASUKI_HOSTNAME": row["host"]},
            capture_output=True,
            text=True,
            check=True,
        )
        assert printed.stdout.strip() == str(row["offset"])


def test_schedule(run, job, tmp_path):
    out = tmp_path / "job.stages"
    arguments = ("schedule", "--fabric", "6-ary-2-tree:nodes=30", "--hosts", job)
    document = json_of(run(*arguments, "--out", out, "--json", "-"))
    assert (document["stages"], document["is_shortest"]) == (7, True)
    first = out.read_bytes()
    run(*arguments, "--out", out)
    assert out.read_bytes() == first
    assert out.read_text().splitlines()[11] == "stages 7"


def test_a_folder_that_is_not_there_is_told(run, job, tmp_path):
    out = tmp_path / "nowhere" / "job.stages"
    result = run("schedule", "--fabric", "6-ary-2-tree", "--hosts", job, "--out", out)
    assert result.exit_code == 2
    assert "No such file" in " ".join(result.output.split())


def test_schedule_on_a_tall_tree(run):
    arguments = ("schedule", "--fabric", "4-ary-3-tree", "--nodes", 40)
    document = json_of(run(*arguments, "--method", "contention-free-stock", "--json", "-"))
    assert document["least_stages"] <= document["stages"] < 1.5 * document["least_stages"]
    assert run(*arguments).exit_code == 2


def test_tables_and_verify(run, tmp_path):
    net, out = tmp_path / "net.txt", tmp_path / "lfts.txt"
    net.write_text(ibsim_net(describe("6-ary-2-tree:nodes=30")))
    document = json_of(run("tables", "--fabric", net, "--lmc", 3, "--out", out, "--json", "-"))
    assert document["lmc"] == 3
    assert (tmp_path / "guid2lid").read_text().startswith("0x0000000000100001 0x0008 0x000f\n\n")

    same = run("verify", "--meant", out, "--programmed", out, "--fabric", net)
    assert same.exit_code == 0
    assert "all 2761 entries are programmed as meant" in same.output
    shown = json_of(run("show", net, "--lfts", out, "--json", "-"))
    assert shown["roots_reached"] == [6] * 30

    lines = out.read_text().splitlines(keepends=True)
    (tmp_path / "after.txt").write_text("".join(lines[:10] + lines[11:]))
    result = run(*("verify", "--meant", out, "--programmed", tmp_path / "after.txt", "--json", "-"))
    assert result.exit_code == 1
    document = json.loads(result.stdout)
    assert document["counts"]["missing"] == 1
    assert f"{out}:11 says port" in document["findings"][0]["message"]


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["assign", "--fabric", "LOOP", "--hosts", "JOB"], ":2: the cable is a loop"),
        (["assign", "--fabric", "6-ary-2-tree:nodes=30", "--hosts", "STRANGER"], ":2: host"),
        (
            ["assign", "--fabric", "6-ary-2-tree:nodes=30", "--hosts", "JOB", "--lfts", "HOLES"],
            "the table of",
        ),
        (["assign", "--fabric", "6-ary-2-tree", "--hosts", "JOB", "--method", "magic"], "magic"),
        (["assign", "--fabric", "6-ary-2-tree", "--hosts", "JOB", "--chosen-by", "me"], "sender"),
        (["tables", "--fabric", "6-ary-2-tree", "--lmc", "2"], "expected at least LMC 3"),
        (["tables", "--fabric", "LOOP"], ":2: the cable is a loop"),
        (["schedule", "--fabric", "6-ary-2-tree", "--hosts", "STRANGER"], ":2: host"),
    ],
)
def test_bad_input_is_named_and_nothing_is_written(run, job, tmp_path, arguments, part):
    loop = tmp_path / "loop.txt"
    loop.write_text('Switch 4 "leaf0"\n[1] "leaf0"[2]\n[2] "leaf0"[1]\n')
    stranger = tmp_path / "stranger.hosts"
    stranger.write_text("node1\ncn99\n")
    holes = tmp_path / "holes.txt"
    run("tables", "--fabric", "6-ary-2-tree:nodes=30", "--out", holes)
    # Of node20's LIDs leaf0 knows none.
    head, _, tail = holes.read_text().partition("Unicast lids [0x0-0x102] of switch Lid 249")
    head = "".join(line for line in head.splitlines(True) if "'node20'" not in line)
    holes.write_text(head + "Unicast lids [0x0-0x102] of switch Lid 249" + tail)
    names = {"LOOP": loop, "JOB": job, "STRANGER": stranger, "HOLES": holes}
    out = tmp_path / "out"
    result = run(*(names.get(word, word) for word in arguments), "--out", out)
    assert result.exit_code == 2
    assert part in " ".join(result.output.split())
    assert not out.exists()


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["show", "BINARY"], "this is no text; expected what ibnetdiscover wrote"),
        (["show", "FOLDER"], "that is a folder; expected a file that ibnetdiscover wrote"),
        (["verify", "--meant", "BINARY", "--programmed", "BINARY"], "expected what dump_lfts"),
        (["simulate", "--fabric", "6-ary-2-tree", "--hosts", "BINARY"], "expected a hostfile"),
        (["simulate", "--fabric", "6-ary-2-tree", "--hosts", "ONE"], "needs two at least"),
        (["simulate", "--fabric", "6-ary-2-tree", "--nodes", 0], "expected 2 to 72"),
        (["measure", "--fabric", "6-ary-2-tree", "--hosts", "ONE"], "needs two at least"),
        (["assign", "--fabric", "6-ary-2-tree", "--out", "ONE"], "that is a file; expected a fol"),
        (["tables", "--fabric", "6-ary-2-tree", "--out", "FOLDER"], "that is a folder; expected"),
        (["schedule", "--fabric", "6-ary-2-tree", "--out", "ONE/x"], "is no folder that files"),
    ],
)
def test_what_a_path_should_have_named_is_told(run, tmp_path, arguments, part):
    binary, one = tmp_path / "binary", tmp_path / "one.hosts"
    binary.write_bytes(b"\xff\xfe\x00")
    one.write_text("node3\n")
    names = {"BINARY": binary, "ONE": one, "ONE/x": one / "x", "FOLDER": tmp_path}
    result = run(*(names.get(argument, argument) for argument in arguments))
    assert result.exit_code == 2
    assert part in " ".join(result.stderr.split())
