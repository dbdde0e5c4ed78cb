"""A real OpenSM and the real diagnostics, on a simulated subnet."""

import re

import pytest

from tasuki.fabric.describe import describe
from tasuki.fabric.forwarding import fit_to_fabric, parse_dump, write_dump
from tasuki.fabric.ibnetdiscover import parse_network
from tasuki.fabric.opensm.comparison import compare, read_log
from tasuki.fabric.opensm.guid2lid import guid2lid
from tasuki.fabric.paths import Routes
from tasuki.fabric.tree_routing import multi_lid_tables, with_ways_to_switches
from tasuki.fabric.two_level import two_level_tree


def plan(subnet, lmc=None):
    """Discovers, plans, pins LIDs; returns the discovered fabric, its tables, and their text."""
    fabric = parse_network(subnet.discover(), "discovered")
    tables = with_ways_to_switches(fabric, multi_lid_tables(fabric, lmc))
    (subnet.cache / "guid2lid").write_text(guid2lid(fabric, tables))
    return fabric, tables, write_dump(fabric, tables)


def program(subnet, text, lmc, *more):
    """Lets OpenSM's file engine program `text`; returns its log and the tables it programmed."""
    path = subnet.folder / "lfts"
    path.write_text(text)
    log = subnet.opensm("-R", "file", "-U", str(path), "-l", str(lmc), "-x", *more)
    return log, parse_dump(subnet.dump(), "programmed")


def kinds(meant: str, programmed, log: str) -> set[str]:
    differences = read_log(log) + compare(parse_dump(meant, "meant"), programmed)
    return {difference.kind for difference in differences}


def test_the_papers_machine(subnet_on):
    described = describe("6-ary-2-tree:nodes=30")
    with subnet_on(described) as subnet:
        fabric, tables, text = plan(subnet)
        assert [host.name for host in fabric.hosts] == [host.name for host in described.hosts]
        assert len(fabric.cables) == len(described.cables)
        log, programmed = program(subnet, text, 3)
        assert kinds(text, programmed, log) == set()
        assert sum(len(table) for table in programmed.entries.values()) == 11 * (240 + 11)

        # What was read back is, for us, the network of the paper.
        again = parse_network(subnet.discover(), "again")
        read = fit_to_fabric(programmed, again)
        assert read.lmc == 3
        assert read.base_lid.tolist() == tables.base_lid.tolist()
        tree = two_level_tree(Routes(again, read))
        assert (tree.offset_of_root == range(6)).all()
        for source, destination, root in [(0, 9, 0), (0, 9, 3), (0, 29, 5), (7, 1, 1), (24, 3, 2)]:
            lid = int(tables.base_lid[destination]) + root
            assert traced(subnet, tables, source, lid) == [
                f"leaf{source // 6}",
                f"root{root}",
                f"leaf{destination // 6}",
                f"node{destination}",
            ]


def traced(subnet, tables, source: int, lid: int) -> list[str]:
    """The names that ibtracert passes, from the first switch to the host."""
    text = subnet.run("ibtracert", str(tables.base_lid[source]), str(lid)).stdout
    return re.findall(r'^\[\d+\] -> .*"(.*)"', text, re.MULTILINE)


@pytest.mark.slow
def test_some_hundred_hosts(subnet_on):
    with subnet_on(describe("18-ary-2-tree:nodes=324")) as subnet:
        fabric, tables, text = plan(subnet)
        assert len(fabric.hosts) == 324
        log, programmed = program(subnet, text, 5)
        assert kinds(text, programmed, log) == set()
        for source, destination, root in [(0, 323, 17), (100, 37, 3), (320, 20, 11)]:
            lid = int(tables.base_lid[destination]) + root
            assert traced(subnet, tables, source, lid)[1] == f"root{root}"


# The pitfalls of OpenSM 3.3.23: each is silent, or nearly so, and each is found by comparing.


@pytest.fixture
def small(subnet_on):
    with subnet_on(describe("2-ary-2-tree")) as subnet:
        yield subnet


def test_ftree_with_several_lids_is_not_ftree(small):
    _, _, text = plan(small)
    log = small.opensm("-R", "ftree", "-l", "1", "-x")
    assert "fallback" in kinds(text, parse_dump(small.dump(), "programmed"), log)


def test_without_pinned_lids_entries_collapse(small):
    _, _, text = plan(small)
    (small.cache / "guid2lid").unlink()
    shifted = "".join(
        re.sub(
            r"^0x([0-9a-f]{4}) (\d+ : \(Ch)", lambda m: f"0x{int(m[1], 16) + 64:04x} {m[2]}", line
        )
        for line in text.splitlines(keepends=True)
    )
    log, programmed = program(small, shifted, 1)
    assert read_log(log) == []  # OpenSM itself sees nothing wrong
    assert {"moved", "missing"} <= kinds(shifted, programmed, log)


def test_missing_lines(small):
    _, _, text = plan(small)
    lines = text.splitlines(keepends=True)
    del lines[1:3]
    log, programmed = program(small, "".join(lines), 1)
    assert read_log(log) == []
    assert kinds(text, programmed, log) == {"missing"}


def test_unknown_switch(small):
    _, _, text = plan(small)
    damaged = text.replace("guid 0x0000000001200000 (leaf0)", "guid 0x00000000deadbeef (leaf0)")
    log, programmed = program(small, damaged, 1)
    assert read_log(log) == []
    found = kinds(damaged, programmed, log)
    assert "missing-switch" in found
    assert "missing" in kinds(text, programmed, log) or "different" in kinds(text, programmed, log)


def test_garbage_line(small):
    _, _, text = plan(small)
    damaged = text.replace("0x0002 001", "garbage!!!", 1)
    log, programmed = program(small, damaged, 1)
    assert read_log(log) == []
    assert kinds(text, programmed, log) == {"missing"}


def test_bad_port_falls_back(small):
    _, _, text = plan(small)
    log, programmed = program(small, text.replace("0x0002 001", "0x0002 099", 1), 1)
    assert "fallback" in kinds(text, programmed, log)


def test_missing_file_falls_back(small):
    _, _, text = plan(small)
    log = small.opensm("-R", "file", "-U", str(small.folder / "none"), "-l", "1", "-x")
    assert "fallback" in kinds(text, parse_dump(small.dump(), "programmed"), log)


def test_file_engine_without_a_file(small):
    _, _, text = plan(small)
    log = small.opensm("-R", "file", "-l", "1", "-x")
    assert kinds(text, parse_dump(small.dump(), "programmed"), log)


def test_another_lmc(small):
    _, _, text = plan(small)
    log, programmed = program(small, text, 2)
    assert "moved" in kinds(text, programmed, log)
