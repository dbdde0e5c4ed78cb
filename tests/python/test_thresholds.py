"""Where ways of the memory transport meet, from times as bench/plogp/memory_thresholds.cpp has."""

import pytest

from tasuki.model import thresholds
from tasuki.model.thresholds import SHARED, WARM, thresholds_of, with_thresholds

core = pytest.importorskip("tasuki._core")

SIZES = (8192, 16384, 32768, 65536)
WAYS = ("straight", "shared", "warm blocks", "straight, answered")


def rows(**seconds: tuple[float, ...]) -> list[dict]:
    """A row for each size; ways that are not named take a second."""
    taken = {way: seconds.get(way.replace(", ", "_").replace(" ", "_"), (1.0,) * 4) for way in WAYS}
    return [
        {"bytes": size, **{way: [times[i]] * 3 for way, times in taken.items()}}
        for i, size in enumerate(SIZES)
    ]


def test_a_way_begins_where_it_stays_faster():
    assert thresholds_of(rows(shared=(2.0, 0.5, 2.0, 0.8))) == {SHARED: 65536}
    assert thresholds_of(rows(shared=(2.0, 2.0, 0.9, 0.8))) == {SHARED: 32768}


def test_what_is_never_faster_begins_above_all():
    assert thresholds_of(rows()) == {SHARED: 131072}


def test_warm_blocks_end_below_the_first_size_that_goes_faster_straight():
    assert thresholds_of(rows(straight_answered=(2.0, 2.0, 0.5, 0.5)))[WARM] == 16384
    assert thresholds_of(rows(straight_answered=(0.5,) * 4))[WARM] == 4096


def test_one_disturbed_round_decides_nothing():
    measured = rows(shared=(0.5,) * 4)
    measured[2]["shared"][1] = 100.0
    assert thresholds_of(measured)[SHARED] == 8192


def test_runs_read_what_was_measured():
    if not hasattr(core, "described_machines"):
        pytest.skip("tasuki._core is older than the machines")
    text = core.described_machines()[0]["parameters"]
    assert core.read_machine(text)["memory"] == dict.fromkeys(("warm_bytes", "shared_bytes"), 0)
    told = core.read_machine(with_thresholds(text, {WARM: 65536, SHARED: 4194304}))
    assert told["memory"] == {"warm_bytes": 65536, "shared_bytes": 4194304}
    # Files of before, in which it stands, are still good.
    of_before = core.read_machine(with_thresholds(text, {"direct-bytes": 65536, SHARED: 4194304}))
    assert of_before["memory"] == {"warm_bytes": 0, "shared_bytes": 4194304}


@pytest.mark.mpi
def test_the_program_answers_for_each_size(tmp_path, monkeypatch):
    """Whatever the times are: the machine may be busy. Not in `make check`: it compiles."""
    monkeypatch.setattr(thresholds, "SIZES", (8192, 65536))
    monkeypatch.setattr(thresholds, "ROUNDS", 1)
    try:
        found = thresholds.measure_thresholds(0.001, tmp_path)
    except thresholds.Refused as reason:
        pytest.skip(str(reason))
    assert set(found) - {WARM} == {SHARED}
    assert all(4096 <= size <= 131072 for size in found.values())
