"""Who may include what: data flows from the left to the right, and arrows never point back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
SOURCES = (".cpp", ".hpp", ".c", ".h", ".in")
# What may include mpi.h: what stands before the host MPI, and programs as users write them.
WITH_MPI = ("interpose/", "src/transport/host/", "tests/mpi/", "bench/", "examples/")


def read_rooms() -> dict[str, set[str]]:
    """Each room of src/CMakeLists.txt with all rooms to its left, itself included."""
    text = (ROOT / "src/CMakeLists.txt").read_text()
    direct = {}
    for call in re.findall(r"^tasuki_room\(([^)]*)\)", text, re.MULTILINE):
        name, *words = re.sub(r"\bSOURCES\b.*", "", call, flags=re.DOTALL).split()
        direct[name] = set(words[1:]) if words[:1] == ["DEPENDS"] else set()
    closed: dict[str, set[str]] = {}
    for name, depends in direct.items():  # a room is declared after those to its left
        closed[name] = {name}.union(*(closed[room] for room in depends))
    return closed


def source_files(*folders: str) -> list[Path]:
    return sorted(
        path
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.suffix in SOURCES and path.is_file()
    )


def includes(path: Path) -> list[tuple[str, str]]:
    """("<" or '"', name) of each include."""
    return INCLUDE.findall(path.read_text())


ROOMS = read_rooms()


def test_every_folder_of_src_is_a_room():
    folders = {path.relative_to(ROOT / "src").parts[0] for path in source_files("src")}
    assert folders == set(ROOMS)


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_include_only_what_is_to_their_left(room):
    # A header of the room itself may be named without the room, from beside it.
    wrong = [
        f"{path.relative_to(ROOT)} includes {name}"
        for path in source_files(f"src/{room}")
        for quote, name in includes(path)
        if quote == '"'
        and not (path.parent / name).exists()
        and name.split("/")[0] not in ROOMS[room]
    ]
    assert wrong == [], f"{room} may include {', '.join(sorted(ROOMS[room]))} only"


def test_mpi_h_stays_where_the_host_is_met():
    wrong = [
        f"{path.relative_to(ROOT)} includes {name}"
        for path in source_files("src", "launcher", "interpose", "bindings", "tests", "bench")
        for _, name in includes(path)
        if re.fullmatch(r"(mpi|mpi_abi|mpi-ext)\.h", name)
        and not str(path.relative_to(ROOT)).startswith(WITH_MPI)
    ]
    assert wrong == []


@pytest.mark.parametrize("folder", ["src", "launcher"])
def test_nothing_includes_what_is_to_its_right(folder):
    right = ("interpose/", "bindings/", "tests/", "bench/")
    wrong = [
        f"{path.relative_to(ROOT)} includes {name}"
        for path in source_files(folder)
        for _, name in includes(path)
        if name.startswith(right)
    ]
    assert wrong == []


def test_only_the_command_line_imports_the_verbs():
    wrong = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "python/tasuki").rglob("*.py")
        if re.search(r"^\s*(from|import) tasuki\.commands|import commands", path.read_text(), re.M)
        and path.name != "cli.py"
    ]
    assert wrong == []
