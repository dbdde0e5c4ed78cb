"""Facts about the machine, and the look at its load before measuring."""

import json
import multiprocessing
import os
import time
from pathlib import Path

import pytest

from tasuki import machine


def test_facts_are_plain_and_can_be_written_as_json():
    facts = json.loads(json.dumps(machine.machine_facts()))
    assert 1 <= facts["cores"] <= (os.cpu_count() or 1)
    assert facts["memory_bytes"] > 2**20
    assert facts["cpu"] and facts["kernel"] and facts["hostname"]
    assert len(facts["load"]) == 3


def test_a_missing_cpuinfo_gives_the_architecture(tmp_path):
    assert machine.cpu_model(tmp_path / "none") == os.uname().machine


def test_cpuinfo_gives_the_model(tmp_path):
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("processor\t: 0\nmodel name\t: Fast: 9000\n")
    assert machine.cpu_model(cpuinfo) == "Fast: 9000"


@pytest.mark.parametrize(("used", "reason"), [(0.0, False), (0.2, False), (1.0, True)])
def test_used_cpu_time_decides(monkeypatch, used, reason):
    readings = iter([100.0, 100.0 + used])
    clock = iter([50.0, 51.0])
    monkeypatch.setattr(machine, "_busy_seconds", lambda: next(readings))
    monkeypatch.setattr(machine.time, "monotonic", lambda: next(clock))
    told = machine.busy(1.0, sleep=lambda seconds: None)
    assert bool(told) == reason
    if reason:
        assert told.startswith("other processes are using 1.0 of ")


def test_waiting_for_disks_and_idling_is_not_being_busy(tmp_path):
    stat = tmp_path / "stat"
    ticks = os.sysconf("SC_CLK_TCK")
    stat.write_text(f"cpu  {ticks} {ticks} {ticks} 999999 888888 0 0 {ticks} 0 0\ncpu0 1 2 3\n")
    assert machine._busy_seconds(stat) == pytest.approx(4.0)


def spin(until: float) -> None:
    while time.monotonic() < until:
        pass


@pytest.mark.skipif(not Path("/proc/stat").exists(), reason="no /proc/stat")
def test_a_stray_process_is_noticed():
    stray = multiprocessing.Process(target=spin, args=(time.monotonic() + 3,))
    stray.start()
    try:
        assert "cores" in machine.busy(1.0)
    finally:
        stray.kill()
        stray.join()
