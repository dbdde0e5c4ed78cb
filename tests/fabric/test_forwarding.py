import numpy as np
import pytest

from tasuki.fabric.describe import describe
from tasuki.fabric.error import FabricError
from tasuki.fabric.forwarding import fit_to_fabric, parse_dump, write_dump
from tasuki.fabric.paths import Routes
from tasuki.fabric.tree_routing import multi_lid_tables, with_ways_to_switches


@pytest.fixture
def fabric():
    return describe("2-ary-2-tree")


@pytest.fixture
def text(fabric):
    return write_dump(fabric, with_ways_to_switches(fabric, multi_lid_tables(fabric)))


def test_reads_back(fabric, text):
    meant = with_ways_to_switches(fabric, multi_lid_tables(fabric))
    again = fit_to_fabric(parse_dump(text, "lfts"), fabric)
    assert np.array_equal(again.ports, meant.ports)
    assert np.array_equal(again.base_lid, meant.base_lid)
    assert np.array_equal(again.switch_lid, meant.switch_lid)
    assert again.lmc == meant.lmc


def test_reads_what_dump_lfts_prints(fabric):
    printed = """\
Unicast lids [0x0-0x12] of switch DR path slid 0; dlid 0; 0,1,3 guid 0x0000000002200000 (root0):
  Lid  Out   Destination
       Port     Info
0x0002 001 : (Channel Adapter portguid 0x0000000000100001: 'node0')
0x0003 002 : (path #2 out of 2: portguid 0x0000000000100001)
0x0012 000 : (Switch portguid 0x0000000002200000: 'root0')
3 valid lids dumped
"""
    dump = parse_dump(printed, "after")
    assert dump.names == {0x2200000: "root0"}
    assert dump.entries[0x2200000][2][0] == 1
    assert dump.entries[0x2200000][3] == (2, 5, 0x100001)


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ("0x0002 ", "0x00zz ", r"lfts:2: .*is neither"),
        ("0x0003 001", "0x0002 001", r"lfts:3: LID 0x0002 appears twice"),
        ("0x0002 001", "0x0002 099", r"lfts:2: port 99 of leaf0 has no cable"),
        ("0x0002 001", "0x0002 300", r"lfts:2: port 300"),
        ("guid 0x0000000001200000 (leaf0)", "guid 0x0000000000000bad (leaf0)", "0x0*bad"),
        (
            "guid 0x0000000001200100 (leaf1)",
            "guid 0x0000000001200000 (leaf1)",
            "appears twice",
        ),
    ],
)
def test_damage_names_the_line_or_the_switch(fabric, text, old, new, part):
    assert old in text
    with pytest.raises(FabricError, match=part):
        fit_to_fabric(parse_dump(text.replace(old, new, 1), "lfts"), fabric)


def test_a_missing_table_names_the_switch(fabric, text):
    blocks = text.split("Unicast")
    with pytest.raises(FabricError, match="no table for switch root1"):
        fit_to_fabric(parse_dump("Unicast".join(blocks[:-1]), "lfts"), fabric)


def test_a_hole_is_found_when_it_is_used(fabric, text):
    lines = text.splitlines()
    del lines[1]
    tables = fit_to_fabric(parse_dump("\n".join(lines), "lfts"), fabric)
    routes = Routes(fabric, tables)
    with pytest.raises(FabricError, match=r"table of leaf0 has a hole: no port for LID 2 of node0"):
        routes.links(np.array([1]), np.array([0]), np.array([2]))


def test_ways_that_never_end_are_found(fabric, text):
    # leaf1 and root0 send LID 2 to each other.
    tables = fit_to_fabric(parse_dump(text, "lfts"), fabric)
    leaf1, root0 = 1, next(i for i, s in enumerate(fabric.switches) if s.name == "root0")
    tables.ports[root0, 2] = 2
    assert fabric.link_head[fabric.link_at_port[root0, 2]] == len(fabric.hosts) + leaf1
    with pytest.raises(FabricError, match=r"way from node2 to LID 2 of node0 never ends"):
        Routes(fabric, tables).links(np.array([2]), np.array([0]), np.array([2]))
