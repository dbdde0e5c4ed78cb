"""Elements with gaps that some hosts pack wrongly, and what Tasuki does of that itself."""

from __future__ import annotations

import pytest
from runner import ROOT, Runner, table

COLLECTIVES = ["bcast", "allgather", "alltoall", "alltoallv", "gather", "scatter"]
TAKING_APART = ["runs", "array_runs", "type_runs", "type_contents"]
"""Files of src/transport/host."""


def choices(carrier: str) -> list[str]:
    """COLLECTIVE/CHOICE for every row whose messages are carried so."""
    parameter = "" if carrier == "host" else f":carrier={carrier}"
    return [f"{name}/{row['name']}{parameter}" for name in COLLECTIVES for row in table(name)]


@pytest.mark.timeout(120)
@pytest.mark.parametrize("ranks", [2, 3])
@pytest.mark.parametrize("way", ["host", "memory", "auto"])
def test_complex_numbers_in_structs(runner: Runner, ranks: int, way: str) -> None:
    program = runner.program("complex_structs")
    arguments = [f"{name}/auto:kept=0" for name in COLLECTIVES] if way == "auto" else choices(way)
    # Several nodes, for the rows that need them; memory carries messages inside of one.
    nodes = {"TASUKI_PLACEMENT": ",".join(str(rank % 2) for rank in range(ranks))}
    settings = {} if way == "memory" else nodes
    runner.tasuki(ranks, [program, *arguments], settings, seconds=100).expect_ok()


@pytest.mark.timeout(60)
def test_types_are_taken_apart_as_the_host_packs_them(runner: Runner) -> None:
    if not runner.host.name.startswith("mpich"):
        pytest.skip("packs some rare types wrongly: strides of -1, cyclic distributions")
    sources = [str(ROOT / "src/transport/host" / f"{name}.cpp") for name in TAKING_APART]
    abi = f"-DTASUKI_ABI_{runner.host.abi.upper()}"
    result = runner.compile(
        "packed_types", ["packed_types.cpp", *sources], [abi, f"-I{ROOT / 'src'}"], "c++"
    )
    assert result.code == 0, result.explain()
    runner.native(1, [runner.program_path("packed_types"), "3000"]).expect_ok()
