import numpy as np
import pytest

from tasuki.fabric.describe import describe
from tasuki.fabric.error import FabricError
from tasuki.fabric.ibnetdiscover import ibsim_net, parse_network
from tasuki.fabric.levels import switch_levels

DISCOVERED = """\
#
# Topology file: generated on Sat Nov 21 12:57:30 2026
#
vendid=0x2c9
devid=0xb924
sysimgguid=0x1200000
switchguid=0x1200000(1200000)
Switch\t4 "S-0000000001200000"\t\t# "leaf0" enhanced port 0 lid 12 lmc 0
[1]\t"H-0000000000100000"[1](100001) \t\t# "cn01 mlx5_0" lid 4 4xQDR
[2]\t"H-0000000000100002"[1](100003) \t\t# "cn02 mlx5_0" lid 8 4xQDR

vendid=0x2c9
devid=0x1017
sysimgguid=0x100000
caguid=0x100000
Ca\t1 "H-0000000000100000"\t\t# "cn01 mlx5_0"
[1](100001) \t"S-0000000001200000"[1]\t\t# lid 4 lmc 2 "leaf0" lid 12 4xQDR

caguid=0x100002
Ca\t1 "H-0000000000100002"\t\t# "cn02 mlx5_0"
[1](100003) \t"S-0000000001200000"[2]\t\t# lid 8 lmc 2 "leaf0" lid 12 4xQDR
"""


def test_reads_what_ibnetdiscover_prints():
    fabric = parse_network(DISCOVERED, "net.txt")
    assert [(host.name, host.port_guid, host.base_lid, host.lmc) for host in fabric.hosts] == [
        ("cn01", 0x100001, 4, 2),
        ("cn02", 0x100003, 8, 2),
    ]
    assert (fabric.switches[0].name, fabric.switches[0].guid, fabric.switches[0].lid) == (
        "leaf0",
        0x1200000,
        12,
    )
    assert fabric.cables.tolist() == [[0, 1, 2, 1], [1, 1, 2, 2]]


@pytest.mark.parametrize("text", ["6-ary-2-tree:nodes=30", "3-ary-3-tree", "xgft(2;4,3;1,2)"])
def test_what_is_written_for_ibsim_reads_back(text):
    fabric = describe(text)
    again = parse_network(ibsim_net(fabric), "net")
    assert [h.name for h in again.hosts] == [h.name for h in fabric.hosts]
    assert [h.port_guid for h in again.hosts] == [h.port_guid for h in fabric.hosts]
    assert {s.name: s.guid for s in again.switches} == {s.name: s.guid for s in fabric.switches}
    assert np.array_equal(np.bincount(switch_levels(again)), np.bincount(switch_levels(fabric)))
    names = lambda f: {  # noqa: E731
        frozenset([(f.vertex_name(a), p), (f.vertex_name(b), q)]) for a, p, b, q in f.cables
    }
    assert names(again) == names(fabric)


def line_of(text: str, part: str) -> int:
    return next(i for i, line in enumerate(text.splitlines(), 1) if part in line)


def test_a_cable_between_two_leaves_is_a_loop_and_its_line_is_named():
    text = ibsim_net(describe("2-ary-2-tree"))
    text = text.replace('Switch 4 "leaf0"\n', 'Switch 6 "leaf0"\n[5] "leaf1"[5]\n')
    text = text.replace('Switch 4 "leaf1"\n', 'Switch 6 "leaf1"\n[5] "leaf0"[5]\n')
    fabric = parse_network(text, "net")
    with pytest.raises(FabricError, match=rf"net:{line_of(text, '[5]')}: .*makes a loop"):
        switch_levels(fabric)


@pytest.mark.parametrize(
    ("old", "new", "part"),
    [
        ('[3] "root0"[1]', '[3] "leaf0"[4]', "both ends are on leaf0"),
        ('[3] "root0"[1]', '[3] "root7"[1]', "nowhere defined"),
        ('[3] "root0"[1]', '[3] "root0"[2]', "is cabled to leaf1"),
        ('[3] "root0"[1]', '[9] "root0"[1]', "which has 1 to 4"),
        ('[3] "root0"[1]', '[4] "root0"[1]', "appears twice"),
        ('[3] "root0"[1]', "[3] root0", "is no line of"),
    ],
)
def test_bad_cables_name_the_line(old, new, part):
    text = ibsim_net(describe("2-ary-2-tree"))
    broken = text.replace(old, new, 1)
    line = line_of(broken, new) + (1 if "twice" in part else 0)
    with pytest.raises(FabricError, match=rf"net:{line}: .*{part}"):
        parse_network(broken, "net")


def test_an_empty_file_is_refused():
    with pytest.raises(FabricError, match="no switch"):
        parse_network("", "net")


def test_hosts_are_numbered_leaf_by_leaf():
    lines = ['Switch 2 "leaf1"', '[1] "b"[1]', '[2] "d"[1]', 'Switch 3 "leaf0"', '[1] "c"[1]']
    lines += ['[2] "a"[1]', '[3] "e"[1]']
    lines += [
        f'Hca 1 "{name}"' + f'\n[1] "leaf{leaf}"[{port}]'
        for name, leaf, port in (("a", 0, 2), ("b", 1, 1), ("c", 0, 1), ("d", 1, 2), ("e", 0, 3))
    ]
    fabric = parse_network("\n".join(lines), "net")
    assert [host.name for host in fabric.hosts] == ["a", "c", "e", "b", "d"]


def test_two_hosts_of_one_name_are_refused():
    text = ibsim_net(describe("2-ary-2-tree"))
    text = text.replace('Hca 1 "node3"', 'Hca 1 "node3"\t# "node0 mlx5_0"')
    with pytest.raises(FabricError, match="two adapters are called 'node0'"):
        parse_network(text, "net")
