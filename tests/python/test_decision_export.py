"""What of a decision a host can be told."""

import pytest

from tasuki.decision_export import MARGIN, export
from tasuki.host_rules import Tables, intel, open_mpi


def decision(winner, others=(), collective="alltoall", ranks=4, size=1024, **more):
    """`others`: name, microseconds and fate of candidates beside the winner, which takes 10."""
    candidates = [{"name": winner, "measured": 10e-6, "fate": "winner"}]
    for name, microseconds, *fate in others:
        seconds = None if microseconds is None else microseconds * 1e-6
        candidates.append({"name": name, "measured": seconds, "fate": (fate or ["slower"])[0]})
    return {
        "key": f"{collective} bytes={size} ranks={ranks}",
        "collective": collective,
        "ranks": ranks,
        "bytes": size,
        "placement": f"1x{ranks}",
        "winner": winner,
        "calls": 1,
        "candidates": candidates,
        **more,
    }


def algorithm_for(row, form="openmpi"):
    """The number that Open MPI's rules have for the decision, or None."""
    text = export(form, [row]).text
    ranks = row["ranks"]
    blocks = ranks if row["collective"] == "alltoall" else 1
    lines = text.split(f"\n{ranks} # ranks\n")[-1].splitlines()
    return next(
        (int(line.split()[1]) for line in lines if line.startswith(f"{row['bytes'] * blocks} ")),
        None,
    )


def test_what_memory_carried_is_not_the_hosts_algorithm():
    row = decision("spread:window=0,carrier=memory", [("native", 30), ("spread:window=0", 40)])
    for form in ("openmpi", "intel"):
        exported = export(form, [row])
        assert exported.text == ""
        ((left, reason),) = exported.left_out
        assert left is row
        assert "carried by memory" in reason


def test_the_best_that_the_host_carries_is_taken_if_it_beats_the_hosts_own():
    winner = "bruck:radix=2,carrier=memory"
    others = [("native", 30), ("spread:window=0", 29), ("pairwise", 20), ("bruck:radix=2", 28)]
    assert algorithm_for(decision(winner, others)) == 2
    within_the_margin = [("native", 30), ("pairwise", 30 / (1 + MARGIN / 2))]
    assert algorithm_for(decision(winner, within_the_margin)) is None
    not_in_full = [
        ("native", 30),
        ("pairwise", 20, "hopeless"),
        ("spread:window=0", None, "waiting"),
    ]
    assert algorithm_for(decision(winner, not_in_full)) is None
    assert "was not measured" in export("openmpi", [decision(winner)]).left_out[0][1]


@pytest.mark.parametrize(
    "winner",
    ["bruck:radix=8", "spread:window=4", "pairwise-barrier", "ring", "node-aware:leaders=0"],
)
def test_what_is_not_the_same_has_no_counterpart(winner):
    assert export("openmpi", [decision(winner, [("native", 30)])]).text == ""


@pytest.mark.parametrize(
    ("collective", "winner", "open_mpi_number", "intel_text"),
    [
        ("allgather", "bruck:radix=2", None, "2:1024-2147483647@4-4"),
        ("allreduce", "recursive-doubling", 3, "1:4096-2147483647@4-4"),
        ("allreduce", "rabenseifner", 6, "2:4096-2147483647@4-4"),
        ("alltoall", "pairwise", 2, "3:4096-2147483647@4-4"),
        ("bcast", "binomial", 6, "1:4096-2147483647@4-4"),
        ("bcast", "scatter-allgather", 9, ""),
    ],
)
def test_every_collective_by_its_own_count_of_bytes(
    collective, winner, open_mpi_number, intel_text
):
    row = decision(winner, collective=collective, size=4096)
    assert algorithm_for(row) == open_mpi_number
    expected = f"I_MPI_ADJUST_{collective.upper()}={intel_text}\n" if intel_text else ""
    assert export("intel", [row]).text == expected


def test_what_open_mpi_would_do_wrong_is_not_exported():
    """Its rings sum in any order, and a rule is for all operations; and see host_counterparts."""
    assert export("openmpi", [decision("ring", collective="allreduce")]).text == ""
    assert export("openmpi", [decision("ring", collective="allgather")]).text == ""


def test_conditions_of_the_hosts():
    def reasons(form, row):
        exported = export(form, [row])
        assert exported.text == ""
        return exported.left_out[0][1]

    short = decision("rabenseifner", collective="allreduce", size=96)
    assert "fewer elements than ranks" in reasons("openmpi", short)
    three = decision("recursive-doubling", collective="allgather", ranks=3)
    assert "powers of two" in reasons("intel", three)
    across = decision("binomial", collective="bcast", placement="2x2")
    assert "across nodes" in reasons("mpich", across)
    assert "only allgather, alltoall, bcast" in reasons(
        "mpich", decision("recursive-doubling", collective="allreduce")
    )


def test_collectives_without_a_form_are_told():
    rows = [decision("pairwise"), decision("binomial", collective="reduce")]
    exported = export("openmpi", rows)
    assert [row["collective"] for row, _ in exported.left_out] == ["reduce"]
    assert exported.text.startswith("1 # collectives\n3 # alltoall\n")


def test_of_two_placements_the_one_with_more_calls_counts():
    rows = [
        decision("pairwise", calls=5, placement="2x2"),
        decision("bruck:radix=2", calls=9),
    ]
    exported = export("openmpi", rows)
    assert "4096 3 0 0" in exported.text
    assert [(row["winner"], reason) for row, reason in exported.left_out] == [
        ("pairwise", "another placement has more calls")
    ]


def test_open_mpi_reads_collectives_in_the_order_of_its_numbers():
    tables: Tables = {"bcast": {4: [(64, 6)]}, "allreduce": {4: [(64, 3)]}}
    lines = open_mpi(tables).splitlines()
    assert [line for line in lines if line.endswith(("# allreduce", "# bcast"))] == [
        "2 # allreduce",
        "7 # bcast",
    ]


def test_intel_counts_one_block_of_an_allgather():
    """Sizes of which no block is left are no range."""
    tables: Tables = {"allgather": {4: [(1, 1), (2, 2), (64, 3)]}}
    assert intel(tables) == "I_MPI_ADJUST_ALLGATHER=2:1-15@4-4;3:16-2147483647@4-4\n"
