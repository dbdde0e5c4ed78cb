import numpy as np

from tasuki.fabric.stage_table import stage_table

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


def test_is_text_for_people():
    stages = np.array([[1, 2, 0], [2, -1, 1]])
    names, offsets = ("node4", "node0", "node7"), np.array([2, 0, 1])
    assert stage_table(names, offsets, stages) == TEXT
    by_sender = stage_table(names, offsets, stages, by_sender=True)
    assert by_sender == TEXT.replace("receiver", "sender")
