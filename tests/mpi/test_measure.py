"""The program that measures P-LogP, on every MPI: on one node, and as if on two."""

import pytest

core = pytest.importorskip("tasuki._core")
if not hasattr(core, "find_parameters"):
    pytest.skip("tasuki._core is older than kept parameters", allow_module_level=True)

from tasuki.model.measurement import measure_machine  # noqa: E402
from tasuki.model.program import compile_measurement, start_measurement  # noqa: E402


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
