import pytest

from tasuki.fabric.describe import describe
from tasuki.fabric.error import FabricError
from tasuki.fabric.job import parse_hostfile, read_hostfile


@pytest.fixture
def fabric():
    return describe("2-ary-2-tree")


def test_all_forms(fabric):
    text = "# my job\nnode3\nnode0 slots=4 max_slots=8\nnode5:2\n\nnode3  # again\n"
    job = parse_hostfile(text, fabric, "hosts")
    assert job.hosts.tolist() == [3, 0, 5]
    assert job.slots == (2, 4, 2)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("node0\ncn7\n", r"hosts:2: host 'cn7' is not in fabric"),
        ("node0 node1\n", r"hosts:1: .*expected HOST"),
        ("node0 slots=0\n", r"hosts:1: node0 has no slot"),
        ("# nothing\n", r"hosts: names no host"),
    ],
)
def test_errors_name_line_and_host(fabric, text, part):
    with pytest.raises(FabricError, match=part):
        parse_hostfile(text, fabric, "hosts")


def test_a_file_that_is_not_there(fabric, tmp_path):
    with pytest.raises(FabricError, match="cannot read it"):
        read_hostfile(tmp_path / "none", fabric)
