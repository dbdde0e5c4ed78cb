"""tasuki run --report: what a run writes when it ends, and that it never harms the run."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
from runner import Result, Runner

CALLS = 40
NAME_OF_SVG = "http://www.w3.org/2000/svg"


def reported(
    runner: Runner, file: Path, *arguments: str, ranks: int = 2, **settings: str
) -> Result:
    """The result of a run whose report is to be `file`."""
    program = runner.program("reported")
    settings = {"TASUKI_CACHE": str(file.parent), "TASUKI_REPORT": str(file), **settings}
    return runner.tasuki(ranks, [program, str(CALLS), *arguments], settings)


def record_of(page: Path) -> dict[str, Any]:
    """What stands in the page as JSON. The page is well-formed and needs nothing from elsewhere."""
    text = page.read_text()
    root = ElementTree.fromstring(text.removeprefix("<!DOCTYPE html>"))
    assert root.find(f".//{{{NAME_OF_SVG}}}svg") is not None
    assert not re.search(r"(src|href)=|url\(|@import|https?:", text.replace(NAME_OF_SVG, ""))
    (script,) = root.iter("script")
    return json.loads(script.text or "")


def communicator_of(record: dict[str, Any], ranks: int, ordinal: int) -> dict[str, Any]:
    (communicator,) = [
        entry
        for entry in record["communicators"]
        if (entry["ranks"], entry["ordinal"]) == (ranks, ordinal)
    ]
    return communicator


def sizes_of(record: dict[str, Any], ranks: int, ordinal: int) -> dict[str, dict[str, Any]]:
    """By collective, those of one entry of communicators."""
    sizes = communicator_of(record, ranks, ordinal)["sizes"]
    return {size["collective"]: size for size in sizes}


@pytest.mark.parametrize("way", ["native", "auto"])
def test_every_call_is_counted(runner: Runner, way: str, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    reported(runner, file, ranks=4, TASUKI_COLLECTIVES=way).expect_ok()
    record = record_of(file)
    assert record["run"]["ranks"] == 4
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".new"] == []
    world = sizes_of(record, 4, 1)
    exchange = world["alltoall"]
    assert (exchange["size"], exchange["calls"]) == (512, CALLS)
    assert exchange["bytes"] == 4 * 512 * CALLS
    assert world["allreduce"]["calls"] == CALLS + 1  # that of check_end()
    assert world["alltoallv"]["calls"] == 1
    assert world["alltoallv"]["bytes"] == 400
    assert 0 < exchange["seconds_mean"] <= exchange["seconds_max"] < record["run"]["seconds"]
    for size in world.values():
        spans = size["algorithm_over_calls"]
        assert spans[0]["first_call"] == 1 and spans[-1]["last_call"] == size["calls"]
        assert sum(use["calls"] for use in size["algorithms"]) == size["calls"]
    assert (exchange["learnt"] is None) == (way == "native")
    (refused,) = record["left_to_the_mpi_library"]
    assert (refused["collective"], refused["calls"]) == ("bcast", 4 * CALLS)


def test_rows_and_columns_are_an_entry_each(runner: Runner, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    reported(runner, file, ranks=4).expect_ok()
    record = json.loads(file.read_text())
    by_shape = {(c["ranks"], c["ordinal"]): c for c in record["communicators"]}
    assert by_shape.keys() == {(4, 1), (2, 1), (2, 2)}
    rows = by_shape[2, 1]
    assert rows["communicators"] == by_shape[2, 2]["communicators"] == 2
    assert rows["name"] == 'rows <of> the "grid"' and rows["placement"] == "1x2"
    (bcast,) = rows["sizes"]
    assert (bcast["size"], bcast["ranks"], bcast["calls"]) == (4096, 4, CALLS / 2)
    assert sizes_of(record, 2, 2)["barrier"]["calls"] == CALLS


def test_what_carried_the_messages_is_counted(runner: Runner, tmp_path: Path) -> None:
    for carrier in ("memory", "host"):
        file = tmp_path / f"{carrier}.json"
        choice = f"spread:carrier={carrier}"
        result = reported(runner, file, TASUKI_COLLECTIVES="native", TASUKI_ALLTOALL=choice)
        result.expect_ok()
        record = json.loads(file.read_text())
        (use,) = sizes_of(record, 2, 1)["alltoall"]["algorithms"]
        assert use["name"].startswith("spread")
        traffic = communicator_of(record, 2, 1)["traffic"]
        sent = {name: path["messages"] for name, path in traffic["paths"].items()}
        # Two ranks send one message each in a call.
        in_host = 2 * CALLS if carrier == "host" else 0
        assert (sent["host"], sum(sent.values())) == (in_host, 2 * CALLS)
        assert (traffic["copies_per_byte"] == 2) == (carrier == "memory")


def test_one_run_counts_what_memory_and_what_the_host_carried(
    runner: Runner, tmp_path: Path
) -> None:
    """Ranks 0 and 1 share a node, and rank 2 is elsewhere."""
    file = tmp_path / "report.json"
    settings = {"TASUKI_COLLECTIVES": "native", "TASUKI_ALLTOALL": "spread:carrier=memory"}
    reported(runner, file, ranks=3, TASUKI_PLACEMENT="0,0,1", **settings).expect_ok()
    traffic = communicator_of(json.loads(file.read_text()), 3, 1)["traffic"]
    messages = {name: path["messages"] for name, path in traffic["paths"].items()}
    size = {name: path["bytes"] for name, path in traffic["paths"].items()}
    assert messages.pop("host") == 4 * CALLS and size.pop("host") == 4 * CALLS * 512
    assert sum(messages.values()) == 2 * CALLS and sum(size.values()) == 2 * CALLS * 512
    assert traffic["copies_per_byte"] == 2


@pytest.mark.parametrize("placement", ["1x3", "0,0,1"])
def test_who_waits_long_is_asleep(runner: Runner, placement: str, tmp_path: Path) -> None:
    """Rank 0 is late for one call, and the others sleep for most of that time."""
    file = tmp_path / "report.json"
    settings = {"TASUKI_COLLECTIVES": "native", "TASUKI_ALLTOALL": "spread:carrier=memory"}
    late = {"LATE_MILLISECONDS": "400", "TASUKI_PLACEMENT": placement}
    reported(runner, file, ranks=3, **settings, **late).expect_ok()
    record = json.loads(file.read_text())
    traffic = communicator_of(record, 3, 1)["traffic"]
    # Of rank 1 in any case; rank 2 may be on another node, where it waits in the host.
    assert traffic["sleeps"] >= 1
    assert 0.3 < traffic["asleep_seconds"] < 3 * record["run"]["seconds"]
    assert 0 < traffic["awake_seconds"] < 3 * record["run"]["seconds"]


def test_threads_have_their_own_counts(runner: Runner, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    reported(runner, file, "threads").expect_ok()
    record = json.loads(file.read_text())
    sizes = [size for c in record["communicators"] for size in c["sizes"]]
    calls = [size["calls"] for size in sizes if size["collective"] == "alltoall"]
    assert sum(calls) in (0, 3 * CALLS)  # none where the host does not support threads


def test_a_run_that_never_ends_in_mpi_has_no_report(runner: Runner, tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    result = reported(runner, file, "never-finalized")
    assert result.says_ok(), result.explain()
    assert result.lines_of_tasuki() == []
    assert not file.exists()


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("report.pdf", "end with .html (a page to read) or .json"),
        ("none/report.html", "there is no directory"),
        ("folder.json", "that is a directory; name a file in it"),
    ],
)
def test_a_bad_name_ends_the_run_at_its_start(
    runner: Runner, name: str, expected: str, tmp_path: Path
) -> None:
    (tmp_path / "folder.json").mkdir()
    result = reported(runner, tmp_path / name)
    assert result.code not in (0, None) and not result.says_ok(), result.explain()
    assert len([line for line in result.lines_of_tasuki() if expected in line]) == 1, (
        result.explain()
    )


def test_a_report_that_fails_at_the_end_is_told(runner: Runner, tmp_path: Path) -> None:
    """The program removes the directory while it runs: its own result does not suffer."""
    folder = tmp_path / "folder"
    folder.mkdir()
    program = runner.program("reported")
    settings = {"TASUKI_REPORT": str(folder / "report.json"), "REMOVE_FOLDER": str(folder)}
    result = runner.tasuki(2, [program, str(CALLS)], settings)
    result.expect_ok()
    assert "there is no report: " in result.output, result.explain()
