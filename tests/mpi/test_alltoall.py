"""The answers of all-to-all: every datatype, count and candidate, for 1 to 9 ranks."""

from __future__ import annotations

import pytest
from runner import Runner, candidates


def placement_of(ranks: int) -> tuple[str, int]:
    """A placement for a one-node machine that makes several nodes of it, uneven for odd numbers of
    ranks; and how many nodes that are."""
    if ranks % 2 == 0:
        return "2", ranks // 2
    return ",".join(str(rank % 3) for rank in range(ranks)), min(ranks, 3)


def share_of(runner: Runner, ranks: int) -> int:
    """One in how many cases is run, others for each candidate and number of ranks: with many more
    ranks than cores a call takes milliseconds, and up to a tenth of a second where they spin."""
    if runner.spins and ranks > 2:
        return 2 * ranks
    return ranks if ranks > 4 else (ranks + 1) // 2


@pytest.mark.timeout(200)
@pytest.mark.parametrize("ranks", range(1, 10))
def test_datatypes(runner: Runner, ranks: int) -> None:
    program = runner.program("alltoall", "layouts.c")
    share = str(share_of(runner, ranks))
    runner.native(ranks, [program, "1", share, "native"]).expect_ok()
    placement, nodes = placement_of(ranks)
    arguments = [program, str(nodes), share, *candidates()]
    runner.tasuki(ranks, arguments, {"TASUKI_PLACEMENT": placement}, seconds=150).expect_ok()


@pytest.mark.timeout(120)
@pytest.mark.parametrize("ranks", [2, 3])
def test_large_count_binding(runner: Runner, ranks: int) -> None:
    if runner.compile("large_counts", ["large_counts.c"]).code != 0:
        pytest.skip(f"{runner.host.name} {runner.host.version} has no MPI_Alltoall_c")
    runner.both(ranks, [runner.program("large_counts")])


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("way", ["types", "counts"])
def test_blocks_over_two_gibibytes(runner: Runner, way: str) -> None:
    options = ["-DHAVE_LARGE_COUNTS"] if way == "counts" else []
    result = runner.compile(f"huge_{way}", ["huge.c"], options)
    if result.code != 0 and way == "counts":
        pytest.skip(f"{runner.host.name} {runner.host.version} has no MPI_Alltoall_c")
    assert result.code == 0, result.explain()
    program = runner.program_path(f"huge_{way}")
    runner.native(2, [program, way, "native"], seconds=120).expect_ok()
    # Those that copy whole buffers would need gigabytes of real memory.
    chosen = [name for name in ("spread", "pairwise", "ring") if name in candidates()]
    runner.tasuki(2, [program, way, *chosen], seconds=200).expect_ok()
