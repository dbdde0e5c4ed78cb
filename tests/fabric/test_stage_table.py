import numpy as np
import pytest

from tasuki.fabric.error import FabricError
from tasuki.fabric.stage_table import StageTable, read_stage_table

TABLE = StageTable(
    ("node4", "node0", "node7"), np.array([2, 0, 1]), np.array([[1, 2, 0], [2, -1, 1]])
)
TEXT = """\
tasuki-stage-table 1
chosen-by receiver
hosts 3
node4 2
node0 0
node7 1
stages 2
1 2 0
2 - 1
"""


def test_writes_and_reads_back(tmp_path):
    assert TABLE.text() == TEXT
    path = tmp_path / "job.stages"
    path.write_text(TEXT)
    again = read_stage_table(path)
    assert again.text() == TEXT
    assert np.array_equal(again.stages, TABLE.stages)
    assert not again.by_sender


@pytest.mark.parametrize(
    ("old", "new", "line", "part"),
    [
        ("table 1", "table 2", 1, "expected 'tasuki-stage-table 1'"),
        ("receiver", "nobody", 2, "one of receiver, sender"),
        ("node7 1", "node7", 6, "expected 2 words"),
        ("1 2 0", "1 2 3", 8, "number from 0 to 2"),
        ("1 2 0", "1 1 0", 8, "two hosts send to the same"),
        ("2 - 1\n", "", 9, "ends too early"),
    ],
)
def test_damage_names_the_line(tmp_path, old, new, line, part):
    path = tmp_path / "job.stages"
    path.write_text(TEXT.replace(old, new))
    with pytest.raises(FabricError, match=f"job.stages:{line}: .*{part}"):
        read_stage_table(path)
