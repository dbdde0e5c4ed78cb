import numpy as np
import pytest

from tasuki.fabric.describe import describe
from tasuki.fabric.error import FabricError
from tasuki.fabric.levels import switch_levels


@pytest.mark.parametrize(
    ("text", "hosts", "switches", "cables"),
    [
        ("6-ary-2-tree", 72, [12, 6], 144),
        ("6-ary-2-tree:nodes=30", 30, [5, 6], 60),
        ("3-ary-2-tree", 18, [6, 3], 36),
        ("18-ary-2-tree", 648, [36, 18], 1296),
        ("4-ary-3-tree", 128, [32, 32, 16], 384),
        ("18-ary-3-tree", 11664, [648, 648, 324], 34992),
        ("xgft(2; 6,5; 1,3)", 30, [5, 3], 45),
        ("5-ary-1-tree", 10, [1], 10),
    ],
)
def test_sizes(text, hosts, switches, cables):
    fabric = describe(text)
    assert len(fabric.hosts) == hosts
    assert np.bincount(switch_levels(fabric))[1:].tolist() == switches
    assert len(fabric.cables) == cables


def test_ports_are_used_once():
    fabric = describe("4-ary-3-tree")
    ends = np.concatenate([fabric.cables[:, :2], fabric.cables[:, 2:]])
    assert len(np.unique(ends, axis=0)) == len(ends)
    for vertex, port in ends.tolist():
        if vertex >= len(fabric.hosts):
            assert 1 <= port <= fabric.switches[vertex - len(fabric.hosts)].ports


def test_missing_hosts_and_cables():
    fabric = describe("6-ary-2-tree:nodes=30:without=node3+node9:cut=leaf0-root3")
    assert len(fabric.hosts) == 28
    assert "node3" not in fabric.host_number
    assert int(fabric.is_switch_link.sum()) == 2 * 29


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("6-cube", "expected K-ary-N-tree"),
        ("0-ary-2-tree", "arity"),
        ("18-ary-4-tree", "InfiniBand addresses"),
        ("6-ary-2-tree:nodes=73", "nodes=73 of a fabric for 72 hosts: expected 1 to 72"),
        ("6-ary-2-tree:nodes=0", "nodes=0 of a fabric for 72 hosts: expected 1 to 72"),
        ("6-ary-2-tree:without=cn1", "host 'cn1' is not in fabric"),
        ("6-ary-2-tree:cut=leaf0-root9", "no switch 'root9'"),
        ("6-ary-2-tree:cut=leaf0-leaf1", "no cable"),
        ("xgft(2;6;1,3)", "expected 2 positive numbers"),
    ],
)
def test_bad_descriptions_say_what_is_wrong(text, part):
    with pytest.raises(FabricError, match="(?s)" + part.replace("'", ".")):
        describe(text)
