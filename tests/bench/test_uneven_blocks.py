"""The sizes of blocks that v- and w-forms are timed with."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tasuki.bench.support.programs import project_file, run_tool

SOURCE = """\
#include <stdio.h>
#include "blocks.h"
int main(int argc, char** argv) {
    int units = atoi(argv[1]), ranks = atoi(argv[argc - 1]);
    Blocks blocks = make_blocks(ranks);
    for (int from = 0; from < ranks; ++from)
        for (int to = 0; to < ranks; ++to)
            printf("%d ", uneven_exchanged_block(units, from, to));
    for (int rank = 0; rank < ranks; ++rank) blocks.counts[rank] = uneven_block(units, rank);
    lay_out(&blocks, ranks);
    for (int rank = 0; rank < ranks; ++rank)
        printf("%d %d ", blocks.counts[rank], blocks.displacements[rank]);
    printf("%zu", largest_uneven_block(units));
    free_blocks(&blocks);
}
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("blocks")
    source, output = folder / "sizes.c", folder / "sizes"
    source.write_text(SOURCE)
    include = f"-I{project_file('bench/collective')}"
    run_tool(["cc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", include, source, "-o", output])
    return output


def sizes(program: Path, units: int, ranks: int) -> tuple[list[int], list[int], list[list[int]]]:
    """Of the block of each rank, where it is, and of what each rank sends to each."""
    told = subprocess.run([program, str(units), str(ranks)], capture_output=True, check=True)
    *numbers, largest = map(int, told.stdout.split())
    pairs, of_ranks = numbers[: ranks * ranks], numbers[ranks * ranks :]
    exchanged = [pairs[begin : begin + ranks] for begin in range(0, ranks * ranks, ranks)]
    assert max(of_ranks[::2] + pairs) <= largest
    return of_ranks[::2], of_ranks[1::2], exchanged


@pytest.mark.parametrize("ranks", [2, 4, 8])
def test_blocks_differ_and_their_mean_is_what_was_asked_for(program: Path, ranks: int) -> None:
    units = 1 << 20
    counts, _, exchanged = sizes(program, units, ranks)
    assert sum(counts) == ranks * units
    assert len(set(counts)) == min(ranks, 4)
    for sent in exchanged:
        assert sum(sent) == ranks * units
        assert len(set(sent)) == min(ranks, 4)
    assert len({sum(received) for received in zip(*exchanged, strict=True)}) == 2


@pytest.mark.parametrize("units", [1, 2, 3, 7, 1 << 27])
def test_blocks_follow_each_other_and_none_is_empty(program: Path, units: int) -> None:
    for ranks in (1, 3, 5):
        counts, places, exchanged = sizes(program, units, ranks)
        assert all(min(blocks) >= 1 for blocks in (counts, *exchanged))
        assert places == [sum(counts[:rank]) for rank in range(ranks)]


def test_of_nothing_all_blocks_are_empty(program: Path) -> None:
    counts, _, exchanged = sizes(program, 0, 3)
    assert counts == [0] * 3
    assert exchanged == [[0] * 3] * 3
