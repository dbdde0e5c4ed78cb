"""The program that measures P-LogP, on every MPI: on one node, and as if on two."""

import json

import pytest
from runner import SAVE_TIME

core = pytest.importorskip("tasuki._core")
if not hasattr(core, "find_parameters"):
    pytest.skip("tasuki._core is older than kept parameters", allow_module_level=True)

from tasuki.model.measurement import keep, measure_machine  # noqa: E402
from tasuki.model.program import compile_measurement, start_measurement  # noqa: E402
from tasuki.model.thresholds import WARM, with_thresholds  # noqa: E402


def test_parameters_of_this_machine(runner, tmp_path):
    program = compile_measurement(runner.host, tmp_path)
    asked = set()
    with start_measurement(runner.host, program, 4, 0.001, ranks_per_node=2) as measurement:
        assert measurement.run["pairs"] == [2, 2]
        text = measure_machine(measurement, 64, lambda place, _: asked.add(place))
    machine = core.read_machine(text)
    assert asked == {"on-node", "off-node", "copy"}
    assert " | 2x2 ranks | " in machine["fingerprint"]
    for where in ("on_node", "off_node"):
        assert machine[where]["gap"][-1][1] > 0
        assert machine[where]["send_overhead"][-1][0] == 64


def test_an_odd_rank_waits(runner, tmp_path):
    program = compile_measurement(runner.host, tmp_path)
    with start_measurement(runner.host, program, 3, 0.001) as measurement:
        assert measurement.run["pairs"] == [1, 0]
        assert measurement.ask("on-node", 8)["round_trip"].seconds > 0


def test_runs_take_the_ways_that_were_measured(runner, tmp_path, monkeypatch):
    """Messages of 16 to 128 KiB, in blocks or straight as the machine's file says."""
    monkeypatch.setenv("TASUKI_CACHE", str(tmp_path))
    # Part of the fingerprint, and of all runs of tests.
    for name, value in SAVE_TIME.items():
        monkeypatch.setenv(name, value)
    program = compile_measurement(runner.host, tmp_path)
    with start_measurement(runner.host, program, 2, 0.001) as measurement:
        text = measure_machine(measurement, 64, lambda *_: None)
    report = tmp_path / "report.json"
    settings = {
        "TASUKI_CACHE": str(tmp_path),
        "TASUKI_REPORT": str(report),
        "TASUKI_ALLREDUCE": "recursive-doubling:carrier=memory",
    }
    for warm_bytes, in_blocks in ((1 << 20, True), (4096, False)):
        keep(with_thresholds(text, {WARM: warm_bytes}))
        runner.tasuki(2, [runner.program("sizes"), "10"], settings).expect_ok()
        (world,) = json.loads(report.read_text())["communicators"]
        sent = {name: path["messages"] for name, path in world["traffic"]["paths"].items()}
        assert sent["host"] == 0
        assert (sent["eager"] > 0) == in_blocks, sent
        # Where the system denies remote copies, blocks are pulled through instead.
        assert (sent["read"] + sent["written"] + sent["pulled"] > 0) == (not in_blocks), sent
