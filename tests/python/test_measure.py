"""Measuring P-LogP, without an MPI: a machine that answers by formulas."""

import json
import os

import pytest
from typer.testing import CliRunner

from tasuki.bench.support import options
from tasuki.bench.support.programs import ProgramError
from tasuki.cache import NO_CACHE
from tasuki.cli import app
from tasuki.commands import model
from tasuki.model.program import Measurement
from tasuki.model.refine import Sample, refine
from tasuki.sizes import size_text

core = pytest.importorskip("tasuki._core")
if not hasattr(core, "find_parameters"):
    pytest.skip("tasuki._core is older than kept parameters", allow_module_level=True)

from tasuki.model.measurement import keep, measure_machine  # noqa: E402

RUN = {
    "library": "Open MPI v9.9, package: nobody's",
    "ranks": 4,
    "nodes": 2,
    "ranks_per_node": 2,
    "cores": 2,
    "pairs": [2, 2],
}


class Machine:
    """What bench/plogp would be told by a machine that is known."""

    def __init__(self, **changes):
        self.run = RUN | changes
        self.asked = []

    def ask(self, place, size):
        self.asked.append((place, size))
        if place == "copy":
            return {"copy": Sample(1e-9 * size, 0, 2e-9 * size)}
        latency = {"on-node": 1e-6, "off-node": 5e-6}[place]
        gap = 1e-7 + 1e-9 * size
        answer = {
            "send_overhead": Sample(1e-8 + 1e-10 * size),
            "receive_overhead": Sample(2e-8),
            "round_trip": Sample(2 * latency + gap + 1e-7, 0, 3 * latency + gap + 1e-7),
        }
        return answer | {"gap": Sample(1e-7)} if size == 0 else answer


def test_lines_that_are_straight_need_no_more_sizes():
    asked = []

    def measure(size):
        asked.append(size)
        return {"gap": Sample(1e-6 + 1e-9 * size)}

    known = refine(measure, [0, 1024, 1048576])
    assert list(known) == [0, 512, 1024, 32768, 1048576]
    assert sorted(asked) == list(known)


def test_a_step_is_closed_in_on():
    def measure(size):
        return {"gap": Sample(1e-6 if size <= 4096 else 9e-6)}

    told = []
    known = list(refine(measure, [0, 1024, 65536], tell=told.append))
    (sentence,) = told
    assert "1.25 times the last" in sentence
    below = max(size for size in known if size <= 4096)
    above = min(size for size in known if size > 4096)
    assert above < 1.3 * below
    assert f"from {size_text(below)} to" in sentence


def test_noise_is_not_refined():
    def measure(size):
        return {"gap": Sample(1e-6 if size % 3 else 2e-6, noise=1e-6)}

    assert len(refine(measure, [0, 1024, 65536])) == 5


def test_refining_ends():
    def measure(size):
        return {"gap": Sample(1e-6 if size % 3 else 2e-6)}

    told = []
    assert len(refine(measure, [0, 1048576], most=20, tell=told.append)) == 20
    assert told[0].startswith("ended at 20 sizes; lines may be more than 5% off from ")


def test_lines_that_are_good_are_told_nothing_of():
    def measure(size):
        return {"gap": Sample(1e-6 + 1e-9 * size)}

    told = []
    refine(measure, [0, 1024, 1048576], tell=told.append)
    assert told == []


def test_copies_are_refined_by_what_is_kept_of_them():
    """A step in the mean that the median does not have."""

    class Waiting(Machine):
        def ask(self, place, size):
            answer = super().ask(place, size)
            if place == "copy":
                mean = (2e-9 if size <= 4096 else 8e-9) * size
                answer = {"copy": Sample(1e-9 * size, 0, mean)}
            return answer

    told = []
    text = measure_machine(Waiting(), 65536, lambda *_: None, told.append)
    copies = dict(core.read_machine(text)["copy"])
    below = max(size for size, seconds in copies.items() if seconds < 3e-9 * size)
    above = min(size for size, seconds in copies.items() if seconds > 3e-9 * size)
    assert above < 1.3 * below
    assert [sentence.partition(":")[0] for sentence in told] == ["copy"]


def test_parameters_are_what_the_machine_is_made_of():
    machine = core.read_machine(measure_machine(Machine(), 65536, lambda *_: None))
    assert machine["fingerprint"].startswith("Open MPI v9.9 | ")
    assert " | 2x2 ranks | " in machine["fingerprint"]
    for where, latency in (("on_node", 1e-6), ("off_node", 5e-6)):
        link = machine[where]
        assert link["latency"] == pytest.approx(latency)
        assert link["gap"][0] == (0, pytest.approx(1e-7))
        assert link["gap"][-1] == (65536, pytest.approx(1e-7 + 65536e-9, rel=1e-3))
        assert dict(link["receive_overhead"])[1024] == pytest.approx(2e-8)
    assert machine["copy"][-1] == (65536, pytest.approx(2e-9 * 65536, rel=1e-3))


def test_ranks_that_share_cores_work_slower_and_wait_longer():
    crowd = Machine(nodes=1, ranks_per_node=8, pairs=[4, 0])
    machine = core.read_machine(measure_machine(crowd, 1024, lambda *_: None))
    link = machine["on_node"]
    assert link["gap"][0] == (0, pytest.approx(4e-7))
    assert link["send_overhead"][0] == (0, pytest.approx(4e-8))
    assert link["latency"] == pytest.approx((3e-6 + 2e-7) / 2 - 1e-7)
    assert machine["off_node"] == link
    assert not any(place == "off-node" for place, _ in crowd.asked)


def test_what_is_kept_is_found(tmp_path, monkeypatch):
    monkeypatch.setenv("TASUKI_CACHE", str(tmp_path))
    text = measure_machine(Machine(), 1024, lambda *_: None)
    path = keep(text)
    assert path.parent == tmp_path
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
    found = core.find_parameters(core.fingerprint_of_run(RUN["library"], 4, "2x2"))
    assert (found["file"], found["messages"]) == (str(path), [])
    assert "Open MPI v9.9" in CliRunner().invoke(app, ["model", "show"]).stdout
    listed = json.loads(CliRunner().invoke(app, ["model", "list", "--json", "-"]).stdout)
    assert [row["file"] for row in listed["kept"]] == [str(path)]
    assert keep(text, tmp_path / "new" / "file") == tmp_path / "new" / "file"


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [([], "ended before"), (["hello\n"], "unexpected line"), (["[1]\n"], "unexpected line")],
)
def test_a_program_that_says_something_else_is_refused(lines, sentence):
    with pytest.raises(ProgramError, match=sentence):
        Measurement(iter(lines), -1)


def test_questions_are_lines():
    reading, writing = os.pipe()
    answer = {"place": "copy", "bytes": 8, "copy": [1e-9, 1e-10, 2e-9]}
    measurement = Measurement(iter([json.dumps(RUN), json.dumps(answer)]), writing)
    assert measurement.ask("copy", 8) == {"copy": Sample(1e-9, 1e-10, 2e-9)}
    measurement.end()
    assert os.read(reading, 100) == b"copy 8\nend\n"
    os.close(reading)
    os.close(writing)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--ranks", "1"], "there are no pairs"),
        (["--ranks", "two"], "are no rank counts"),
        (["--ranks", "2,4", "--output", "file"], "one file holds one measurement"),
        (["--mpi", "lam"], "there is no MPI 'lam'"),
        (["--largest", "big"], "is no size"),
        (["--launcher", "nosuch -n 2"], "--launcher nosuch -n 2: no such program"),
        (["--launcher", "srun '"], "expected a command as a shell reads it"),
    ],
)
def test_refusals_say_what_was_expected(arguments, sentence):
    result = CliRunner().invoke(app, ["model", "measure", *arguments])
    assert result.exit_code == 2
    assert sentence in " ".join(result.output.split())


def test_where_to_keep_is_looked_at_first(monkeypatch):
    monkeypatch.setattr(options, "parse_hosts", lambda text: [None])
    monkeypatch.setattr(model, "check_is_quiet", lambda busy: pytest.fail("too late"))
    monkeypatch.setenv("TASUKI_CACHE", "/dev/null/cache")
    result = CliRunner().invoke(app, ["model", "measure"])
    assert result.exit_code == 2
    told = " ".join(result.output.split())
    assert "/dev/null/cache cannot be written: /dev/null is no folder" in told
    assert "--output names a file" in told
    named = CliRunner().invoke(app, ["model", "measure", "--output", "/dev/null/file"])
    assert "--output /dev/null/file cannot be written" in " ".join(named.output.split())
    for name in ("HOME", "XDG_CACHE_HOME", "TASUKI_CACHE"):
        monkeypatch.delenv(name, raising=False)
    assert NO_CACHE in CliRunner().invoke(app, ["model", "measure"]).output
