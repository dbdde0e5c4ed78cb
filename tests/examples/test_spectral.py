"""examples/spectral without Tasuki: its physics, its checksum and its errors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tasuki import demo
from tasuki.bench.support.launch import launch
from tasuki.bench.support.programs import ProgramError
from tasuki.hosts import Host, find_hosts

HOSTS = find_hosts()
GRID, STEPS = 32, 12


@pytest.fixture(scope="module", params=HOSTS, ids=lambda host: host.name)
def compiled(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Host, Path]:
    folder = tmp_path_factory.mktemp("spectral")
    return request.param, demo.compile_example(request.param, folder)


def run(compiled: tuple[Host, Path], ranks: int, *arguments: object) -> list[str]:
    argv = [compiled[1], *map(str, arguments)]
    return list(launch(compiled[0], ranks, argv, 120, under_tasuki=False))


def test_the_field_does_not_depend_on_the_number_of_ranks(
    compiled: tuple[Host, Path], tmp_path: Path
) -> None:
    fields, checksums = [], set()
    for ranks in (1, 2, 4):
        file = tmp_path / f"{ranks}.raw"
        checksums.add(demo.parse_output(run(compiled, ranks, GRID, STEPS, file)).checksum)
        fields.append(file.read_bytes())
    assert len(checksums) == 1
    assert fields[0] == fields[1] == fields[2]
    values = np.frombuffer(fields[0])
    assert values.shape == (GRID * GRID,)
    assert abs(values.mean()) < 1e-12 * np.abs(values).max()


def test_another_number_of_steps_has_another_checksum(compiled: tuple[Host, Path]) -> None:
    checksums = [demo.parse_output(run(compiled, 2, GRID, n)).checksum for n in (STEPS, STEPS + 1)]
    assert checksums[0] != checksums[1]


def test_energy_decays_at_the_rate_that_enstrophy_and_viscosity_give(
    compiled: tuple[Host, Path],
) -> None:
    lines = [line.split() for line in run(compiled, 2, GRID, 4)]
    table = np.array([line for line in lines if len(line) == 4 and line[0].isdigit()], float)
    steps, times, energy, enstrophy = table.T
    assert list(steps) == [0, 1, 2, 3, 4]
    viscosity = 20 / GRID**2
    lost = np.sum(np.diff(times) * (enstrophy[1:] + enstrophy[:-1]) / 2) * 2 * viscosity
    assert energy[0] - energy[-1] == pytest.approx(lost, rel=0.01)
    assert np.all(np.diff(enstrophy) < 0)


@pytest.mark.parametrize(
    ("ranks", "arguments", "message"),
    [
        (1, [], "usage: spectral GRID STEPS"),
        (1, [100, 1], "GRID must be a power of two"),
        (1, [4, 1], "GRID must be a power of two from 8"),
        (1, [32, -1], "STEPS must be a whole number"),
        (1, [32, "1x"], "STEPS must be a whole number"),
        (3, [32, 1], r"the number of ranks \(3\) must divide GRID \(32\)"),
    ],
)
def test_wrong_arguments_say_what_was_expected(
    compiled: tuple[Host, Path], ranks: int, arguments: list[object], message: str
) -> None:
    with pytest.raises(ProgramError, match=message):
        run(compiled, ranks, *arguments)


def test_a_field_that_cannot_be_written_is_an_error(
    compiled: tuple[Host, Path], tmp_path: Path
) -> None:
    with pytest.raises(ProgramError, match="cannot write"):
        run(compiled, 2, GRID, 1, tmp_path / "missing" / "field.raw")
