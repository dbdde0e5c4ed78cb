"""tasuki._core: the table, schedules, steps as arrays, proofs, errors of the caller."""

import numpy as np
import pytest

core = pytest.importorskip("tasuki._core")

ROWS = core.algorithms()
NAMES = [(row["collective"], row["name"]) for row in ROWS]


def works_for(row: dict, ranks: int, nodes: int, has_routes: bool) -> bool:
    conditions = {
        "power-of-two-ranks": ranks & (ranks - 1) == 0,
        "few-ranks": ranks <= 16,
        "several-nodes": nodes > 1,
        "known-routes": has_routes,
    }
    return all(conditions[condition] for condition in row["domain"])


def test_rows_have_what_the_table_describes():
    assert ("alltoall", "spread") in NAMES
    for row in ROWS:
        texts = ("collective", "name", "sentence", "cost", "source", "file")
        assert all(isinstance(row[text], str) and row[text] for text in texts)
        for parameter in row["parameters"]:
            assert parameter["minimum"] <= parameter["default"] <= parameter["maximum"]


@pytest.mark.parametrize("row", ROWS, ids=[f"{c}/{n}" for c, n in NAMES])
@pytest.mark.parametrize(
    ("ranks", "placement"), [(1, ""), (6, "2x3"), (8, "2x4"), (6, "3x2@0/0,0/1,1/0")]
)
def test_every_row_is_proved_and_its_text_reads_back(row, ranks, placement):
    if not works_for(row, ranks, 2 if placement else 1, "@" in placement):
        with pytest.raises(ValueError, match="cannot be used here"):
            core.schedule(row["collective"], row["name"], ranks, placement)
        return
    schedule = core.schedule(row["collective"], row["name"], ranks, placement)
    assert schedule.verify() == []
    again = core.read_text(schedule.text())
    assert again.text() == schedule.text()
    assert schedule.dot().startswith("digraph")


def test_columns_are_the_steps_of_the_program():
    program = core.program("alltoall", "spread", 2, 4)
    columns = program.columns()
    kinds = [core.STEP_KINDS[kind] for kind in columns["kind"]]
    assert len(kinds) == len(program) == len(program.texts())
    assert kinds.count("send") == kinds.count("recv") == 3
    sends = np.array(kinds) == "send"
    assert sorted(columns["peer"][sends]) == [0, 1, 3]
    assert sorted(columns["from_first"][sends]) == [0, 1, 3]
    ends = columns["after_begin"] + columns["after_count"]
    assert ends.max(initial=0) <= len(columns["after_steps"])


def test_columns_outlive_their_schedule():
    columns = core.schedule("alltoall", "spread", 4).program(1).columns()
    assert columns["peer"].sum() == core.program("alltoall", "spread", 1, 4).columns()["peer"].sum()


def test_a_broken_schedule_has_findings():
    text = core.schedule("alltoall", "spread", 2).text()
    broken = text.replace("copy input[0:1] to output[0:1]", "copy input[1:2] to output[0:1]")
    assert broken != text
    findings = core.read_text(broken).verify()
    assert findings
    assert findings[0]["rank"] == 0
    assert "0" in findings[0]["message"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("alltoall", "bruk", 8), "choose one of native, spread"),
        (("alltoall", "native", 8), "no schedule"),
        (("alltoall", "bruck:radix=1", 8), "radix"),
        (("alltoall", "bruck:speed=1", 8), "speed"),
        (("alltoall", "spread", 0), "1 or more"),
        (("alltoall", "spread", 8, "3x5"), "expected NODESx"),
    ],
)
def test_errors_of_the_caller_name_what_was_expected(arguments, sentence):
    with pytest.raises(ValueError, match=sentence):
        core.schedule(*arguments)


def test_a_rank_that_does_not_exist():
    with pytest.raises(ValueError, match="rank 4"):
        core.program("alltoall", "spread", 4, 4)


def test_parse_choice_completes_the_parameters():
    assert core.parse_choice("alltoall", "bruck") == "bruck:radix=2"
