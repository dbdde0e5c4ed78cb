"""CONTRIBUTING.md is true: what it says about adding an algorithm is done here, word by word."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# Proves the new row as tests/algorithms/test_every_row.cpp does.
PROOF = """
#include <iostream>

#include "algorithms/algorithm.hpp"
#include "contract/contract.hpp"
#include "verify/verify.hpp"

int main(int, char** arguments) {
    const tasuki::Algorithm* row = tasuki::find_algorithm(arguments[1], arguments[2]);
    if (row == nullptr) return 2;
    for (std::int32_t ranks = 1; ranks <= 33; ++ranks) {
        tasuki::Instance instance;
        instance.ranks = ranks;
        instance.parameters = row->default_parameters();
        instance.placement = tasuki::Placement::one_node(ranks);
        const auto contract = tasuki::contract_of(row->collective);
        const tasuki::Verdict verdict = verify(row->schedule(instance), *contract);
        if (!verdict.holds()) {
            std::cout << ranks << " ranks: " << verdict.text();
            return 1;
        }
    }
    std::cout << "proved\\n";
}
"""


def blocks(language: str) -> list[str]:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def built_rooms() -> Path:
    """The folder with the libraries of the rooms, from the latest build."""
    found = [path.parent for path in ROOT.glob("build/*/src/libtasuki_verify.a")]
    found = [path for path in found if "san" not in path.parent.name]
    if not found:
        pytest.skip("nothing is built; `make check` builds it")
    return max(found, key=lambda path: (path / "libtasuki_verify.a").stat().st_mtime)


def test_the_worked_example_is_built_registered_and_proved(tmp_path):
    (code,) = blocks("cpp")
    (row,) = blocks("toml")
    (file,) = re.findall(
        r"^\*\*1\. The file\*\*, `([^`]*)`", (ROOT / "CONTRIBUTING.md").read_text(), re.M
    )
    for name in ("src", "tools"):
        shutil.copytree(ROOT / name, tmp_path / name)
    (tmp_path / file).write_text(code)
    table = tmp_path / "algorithms.toml"
    table.write_text((ROOT / "algorithms.toml").read_text() + "\n" + row)
    proof = tmp_path / "proof.cpp"
    proof.write_text(PROOF)

    generate = [sys.executable, tmp_path / "tools/generate_registry.py", table, tmp_path / "made"]
    subprocess.run(generate, check=True)
    libraries = built_rooms()
    compiler = ["c++", "-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
    # The registry comes first, so that the one in the library, without the new row, is not taken.
    subprocess.run(
        [*compiler, f"-I{tmp_path / 'src'}", f"-I{tmp_path / 'made'}"]
        + [proof, tmp_path / file, tmp_path / "made/algorithms/registry.cpp"]
        + [
            libraries / f"libtasuki_{room}.a"
            for room in ("algorithms", "verify", "contract", "schedule", "fabric")
        ]
        + ["-o", tmp_path / "proof"],
        check=True,
    )
    name = re.search(r'^name = "(.*)"', row, re.MULTILINE)
    assert name
    ran = subprocess.run(
        [tmp_path / "proof", "alltoall", name.group(1)], capture_output=True, text=True
    )
    assert (ran.returncode, ran.stdout) == (0, "proved\n")


def test_the_example_is_formatted_as_the_tree_is(tmp_path):
    formatter = shutil.which("clang-format", path=str(Path(sys.executable).parent))
    if formatter is None:
        pytest.skip("clang-format is not installed")
    (code,) = blocks("cpp")
    (tmp_path / "example.cpp").write_text(code)
    shutil.copy(ROOT / ".clang-format", tmp_path)
    subprocess.run([formatter, "--dry-run", "-Werror", tmp_path / "example.cpp"], check=True)
