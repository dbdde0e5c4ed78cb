"""Rounds of a schedule, and what its messages carry."""

import pytest

core = pytest.importorskip("tasuki._core")

from tasuki.schedule.contents import contents  # noqa: E402
from tasuki.schedule.timeline import NeverEnds, Node, timeline  # noqa: E402

HEAD = "collective alltoall\nalgorithm written-by-hand\nranks 2\nroot 0\n\n"


def rounds_of(schedule):
    return timeline(schedule, core.STEP_KINDS)


@pytest.mark.parametrize(("ranks", "rounds"), [(1, 0), (2, 1), (8, 3), (9, 4), (64, 6)])
def test_bruck_takes_the_logarithm_of_the_ranks(ranks, rounds):
    assert rounds_of(core.schedule("alltoall", "bruck", ranks)).rounds == rounds


def test_messages_carry_what_the_contract_wants():
    schedule = core.schedule("alltoall", "spread", 4)
    in_time = rounds_of(schedule)
    carried = contents(schedule, core, in_time)
    assert len(in_time.messages) == 12
    for message in in_time.messages:
        names = carried[Node(message.sender, message.send_step)]
        assert names == [f"{message.sender}.{message.receiver}"]


def test_reductions_are_sums():
    text = HEAD + (
        "rank 0: input 1 output 1 scratch 1\n"
        "0: copy input[0:1] to output[0:1]\n"
        "1: recv from 1 message 0 scratch[0:1]\n"
        "2: reduce right scratch[0:1] into output[0:1] after 0 1\n"
        "3: send to 1 message 0 output[0:1] after 2\n"
        "\n"
        "rank 1: input 1 output 1 scratch 0\n"
        "0: send to 0 message 0 input[0:1]\n"
        "1: recv from 0 message 0 output[0:1]\n"
    )
    schedule = core.read_text(text)
    carried = contents(schedule, core, rounds_of(schedule))
    assert carried[Node(0, 3)] == ["0.0+1.0"]


def test_ranks_that_wait_for_each_other_never_end():
    text = HEAD + "".join(
        f"rank {rank}: input 2 output 2 scratch 0\n"
        f"0: recv from {1 - rank} message 0 output[{1 - rank}:{2 - rank}]\n"
        f"1: send to {1 - rank} message 0 input[{1 - rank}:{2 - rank}] after 0\n\n"
        for rank in range(2)
    )
    with pytest.raises(NeverEnds, match="waits for ever"):
        rounds_of(core.read_text(text))
