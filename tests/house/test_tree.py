"""What the tree looks like: short files, a README in every folder, nothing generated."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CODE = (".cpp", ".hpp", ".c", ".h", ".py", ".f90", ".F90", ".f", ".toml", ".sh")
FOLDERS = (
    "src",
    "interpose",
    "launcher",
    "bindings",
    "python",
    "tools",
    "tests",
    "bench",
    "examples",
)
MOST_LINES = 450
MARKS_OF_GENERATED = ("// Made from ", "// Written by ", "! Made from ", "! Written by ")


def code_files() -> list[Path]:
    return [
        path
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in CODE and "__pycache__" not in path.parts
    ]


def folders_with_readme() -> list[Path]:
    """The top folders, the rooms, and each benchmark and example."""
    inner = [ROOT / "src", ROOT / "bench", ROOT / "examples"]
    below = [path for folder in inner for path in sorted(folder.iterdir()) if path.is_dir()]
    return [*(ROOT / folder for folder in FOLDERS), *below]


def test_files_are_short():
    lengths = {path: len(path.read_text().splitlines()) for path in code_files()}
    long = {str(p.relative_to(ROOT)): n for p, n in lengths.items() if n > MOST_LINES}
    assert long == {}, "one thing per file"


@pytest.mark.parametrize(
    "folder", folders_with_readme(), ids=lambda path: str(path.relative_to(ROOT))
)
def test_every_folder_says_what_it_is_for(folder):
    if not any(path.is_file() for path in folder.iterdir()):
        pytest.skip("empty")
    assert (folder / "README.md").exists()


def test_generated_code_stays_in_the_build_tree():
    made = [
        str(path.relative_to(ROOT))
        for path in code_files()
        if path.read_text().startswith(MARKS_OF_GENERATED)
    ]
    assert made == []
