"""A row of algorithms.toml and its file are all that an algorithm is: neither without the other."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

ROW = """
[[algorithm]]
collective = "alltoall"
name = "relay-race"
sentence = "Every rank hands the sash on."
cost = "P L"
source = "nobody"
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of the table and the files that it names."""
    shutil.copy(ROOT / "algorithms.toml", tmp_path)
    shutil.copytree(ROOT / "src" / "algorithms", tmp_path / "src" / "algorithms")
    return tmp_path


def generate(project: Path) -> subprocess.CompletedProcess[str]:
    generator = ROOT / "tools" / "generate_registry.py"
    return subprocess.run(
        [sys.executable, generator, project / "algorithms.toml", project / "generated"],
        capture_output=True,
        text=True,
        timeout=60,
    )


def refusal(project: Path) -> str:
    """What the generator says, which must have refused and written nothing."""
    run = generate(project)
    assert run.returncode == 1
    assert run.stdout == ""
    assert "Traceback" not in run.stderr
    assert not (project / "generated").exists()
    return run.stderr


def append(project: Path, text: str) -> None:
    with (project / "algorithms.toml").open("a") as table:
        table.write(text)


def test_the_tree_is_whole(project: Path) -> None:
    run = generate(project)
    assert (run.returncode, run.stderr) == (0, "")
    registry = (project / "generated" / "algorithms" / "registry.cpp").read_text()
    files = list((project / "src" / "algorithms").glob("*/*.cpp"))
    assert files
    for file in files:
        assert file.relative_to(project).as_posix() in registry


def test_outputs_are_touched_only_when_they_change(project: Path) -> None:
    generate(project)
    header = project / "generated" / "algorithms" / "generators.hpp"
    before = header.stat().st_mtime_ns
    generate(project)
    assert header.stat().st_mtime_ns == before


def test_a_row_and_its_file_are_an_algorithm(project: Path) -> None:
    append(project, ROW)
    (project / "src/algorithms/alltoall/relay_race.cpp").touch()
    assert generate(project).returncode == 0
    header = (project / "generated" / "algorithms" / "generators.hpp").read_text()
    assert "Program relay_race(std::int32_t rank, const Instance& instance);" in header


def test_a_row_without_a_file(project: Path) -> None:
    append(project, ROW)
    assert refusal(project) == (
        "algorithms.toml: alltoall/relay-race has no file; "
        "write src/algorithms/alltoall/relay_race.cpp or take the row out\n"
    )


def test_a_file_without_a_row(project: Path) -> None:
    (project / "src/algorithms/alltoall/relay_race.cpp").touch()
    assert refusal(project) == (
        "src/algorithms/alltoall/relay_race.cpp has no row in algorithms.toml; "
        'add one with collective = "alltoall" and name = "relay-race", or take the file out\n'
    )


def test_both_are_told_at_once(project: Path) -> None:
    ring = project / "src/algorithms/alltoall/ring.cpp"
    ring.rename(ring.with_name("rang.cpp"))
    said = refusal(project)
    assert "alltoall/ring has no file" in said
    assert "rang.cpp has no row" in said


def test_two_rows_of_one_name(project: Path) -> None:
    append(project, ROW + ROW)
    assert refusal(project) == "algorithms.toml: alltoall/relay-race has two rows\n"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (('sentence = "Every rank hands the sash on."', ""), "needs a text `sentence`"),
        (('"relay-race"', '"Relay_Race"'), "`name` must be lower-case words joined by -"),
        (('"relay-race"', '"native"'), "`native` is the host's own algorithm"),
        (('"P L"', '"P L"\ndomain = ["odd-ranks"]'), "no condition 'odd-ranks'; there are"),
        (('"P L"', '"P L"\nneeds = ["luck"]'), "needs 'luck'; there are placement, sizes"),
        (('"P L"', '"P L"\ndomain = ["several-nodes"]'), 'asks for needs = ["placement"]'),
        (('"P L"', '"P L"\ngathers = "all"'), "`gathers` must be true or false"),
        (('"P L"', '"P L"\nspeed = 3'), "unknown key speed"),
        (
            ('"P L"', '"P L"\nparameters = [{name = "radix", default = 2}]'),
            "a parameter lacks maximum, minimum, sentence",
        ),
        (
            (
                '"P L"',
                '"P L"\nparameters = [{name = "radix", default = 1, minimum = 2, maximum = 9, '
                'sentence = "base"}]',
            ),
            "the default of radix is outside its range",
        ),
        (
            (
                '"P L"',
                '"P L"\nparameters = [{name = "radix", default = 2, minimum = 2, maximum = 9, '
                'tried = ["ranks", 10], sentence = "base"}]',
            ),
            "radix cannot be tried as 10",
        ),
    ],
)
def test_a_malformed_row_says_what_was_expected(
    project: Path, change: tuple[str, str], expected: str
) -> None:
    append(project, ROW.replace(*change))
    said = refusal(project)
    assert said.startswith("algorithms.toml: alltoall/")
    assert expected in said
