"""What `tasuki bench selection` makes of its program's runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tasuki.bench import selection
from tasuki.bench.support import selection_report
from tasuki.bench.support.programs import project_file
from tasuki.output import console


def test_learning_is_compared_with_the_best_fixed_algorithm_and_the_hosts_own() -> None:
    seconds = {
        "native": 4.0,
        "spread": 2.0,
        "ring": 5.0,
        selection.DYNAMIC: 2.2,
        selection.WITHOUT_MODEL: 4.4,
        selection.WARM: 1.0,
    }
    # The machine became slower by half from the third repetition on.
    machine = [1.0, 1.0, 1.5, 1.5]
    rows = selection.with_ratios(
        [
            {
                "way": way,
                "program": way,
                "ran": way,
                "seconds": [each * factor for factor in machine],
            }
            for way, each in seconds.items()
        ]
    )
    assert {row["best"] for row in rows} == {"spread"}
    found = selection.summary(rows)
    assert found["dynamic_over_best_median"] == pytest.approx(1.1)
    assert found["dynamic_over_native_geomean"] == pytest.approx(0.55)
    assert found["model_over_nomodel_geomean"] == pytest.approx(0.5)
    assert found["warm_over_best_median"] == pytest.approx(0.5)
    for key, ratio in {
        "dynamic_over_best_max": 1.1,
        "dynamic_over_native_max": 0.55,
        "model_over_nomodel_max": 0.5,
    }.items():
        assert found[key] == found[f"certain_{key}"] == pytest.approx(ratio)


def test_the_table_cuts_no_name(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(console, "_width", 80)
    ways = ["native", "bruck:radix=8,carrier=memory", *selection.WITH_MIDPOINT]
    rows = selection.with_ratios(
        [
            {"way": way, "program": way, "seconds": [1e-4 / number], "calls": 2000}
            | {"mpi": "openmpi-debian", "ranks": 16, "bytes": 65536}
            for number, way in enumerate(ways, start=1)
        ]
    )
    selection_report.print_results({"rows": rows, "summary": {}})
    assert "…" not in capsys.readouterr().out


def test_of_several_names_of_one_program_the_luckiest_is_not_the_best() -> None:
    names = ["spread", "ring:carrier=memory", "spread:carrier=memory", "bruck"]
    assert selection.programs_of(names, 2) == {
        "spread": "spread",
        "ring:carrier=memory": "spread:carrier=memory",
        "spread:carrier=memory": "spread:carrier=memory",
        "bruck": "spread",
    }
    assert set(selection.programs_of(names, 5).values()) == set(names)
    native = {"way": "native", "program": "native", "seconds": [4.0, 4.0, 4.0]}
    lucky = [{"way": name, "program": "spread", "seconds": [2.0, 2.0, 2.0]} for name in "abc"]
    lucky[1]["seconds"] = [1.0, 2.0, 1.0]
    learning = [
        {"way": way, "program": way, "seconds": [2.2, 2.2, 2.2]} for way in selection.LEARNING
    ]
    rows = selection.with_ratios([native, *lucky, *learning])
    assert rows[0]["best"] == "spread"
    assert rows[0]["best_median_seconds"] == 2.0
    assert rows[-1]["ratio_to_best"] == pytest.approx(1.1)


def test_the_best_of_equals_is_not_the_luckiest() -> None:
    """Two programs that take 2 in half of their runs and 1.9 in the others, each in its own."""
    luck = [1.9, 2.0, 1.9, 2.0, 2.0]
    programs = {"native": [4.0] * 5, "a": luck, "b": [*luck[1:], 1.9], "dynamic": [2.0] * 5}
    to_native = {
        name: selection.in_pairs(programs[name], programs["native"]) for name in ("a", "b")
    }
    best = selection.best_of_others(to_native, programs)
    # In a repetition in which one was lucky, the other is the better of the rest.
    assert best == [2.0, 2.0, 2.0, 2.0, 2.0]
    assert selection.best_of_others({"a": [0.5]}, {"a": [2.0]}) == [2.0], "a single repetition"


def test_the_best_fixed_algorithm_is_one_of_all_that_selection_tries() -> None:
    ways = selection.fixed_ways(16)
    for name in ("bruck", "bruck:radix=8", "bruck:carrier=memory", "bruck:radix=8,carrier=memory"):
        assert ways.count(name) == 1
    assert "bruck:radix=2" not in ways, "the default has a name already"
    programs = selection.programs_of([way for way in ways if "bruck" in way or "spread" in way], 2)
    assert programs["bruck:radix=8,carrier=memory"] == "spread:carrier=memory"
    assert programs["bruck:radix=8"] == "spread"
    most = re.search(r"MOST_WAYS = (\d+)", project_file("bench/selection/selection.c").read_text())
    assert most is not None
    assert int(most.group(1)) >= len(ways) + len(selection.WITH_MIDPOINT)


def test_the_picture_of_selection_has_a_panel_for_each_host(tmp_path: Path) -> None:
    ways = [*selection.fixed_ways(4), *selection.WITH_MIDPOINT]
    rows = [
        {"mpi": mpi, "ranks": 4, "bytes": size, "way": way, "median_seconds": size * 1e-9}
        for mpi in ("openmpi", "mpich")
        for size in (64, 4096)
        for way in ways
    ]
    versions = {"openmpi": "5.0", "mpich": "5.0"}
    results = {
        "mpi": ["openmpi", "mpich"],
        "ranks": [4],
        "rows": rows,
        "machine": {"mpi_versions": versions},
    }
    file = tmp_path / "selection.svg"
    selection_report.draw(results, file)
    drawn = file.read_text()
    for text in ("openmpi 5.0, 4 ranks", "mpich 5.0, 4 ranks", *ways):
        assert f"<!-- {text} -->" in drawn, text
