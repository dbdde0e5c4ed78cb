"""Sees to the Debian packages that some tests need.

usage: debian_packages.py [--only-look] PACKAGE...

Installs what is missing if it may (root, or sudo that asks for no password); otherwise says which
tests are left out. With --only-look it installs nothing and exits with 1 if something is missing.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple


class Package(NamedTuple):
    is_there: Callable[[], bool]
    without_it: str


def command(name: str) -> Callable[[], bool]:
    return lambda: shutil.which(name) is not None


def header(path: str) -> Callable[[], bool]:
    return lambda: any(
        (Path(prefix) / path).exists() for prefix in ("/usr/include", "/usr/local/include")
    )


def python_header() -> bool:
    return (Path(sysconfig.get_path("include")) / "Python.h").exists()


PACKAGES = {
    "python3-dev": Package(python_header, "`tasuki list` and `tasuki show` are left out"),
    "libgtest-dev": Package(header("gtest/gtest.h"), "all C++ tests are left out"),
    "libbenchmark-dev": Package(header("benchmark/benchmark.h"), "micro-benchmarks are left out"),
    "gfortran": Package(command("gfortran"), "tests of Fortran programs are left out"),
    "libopenmpi-dev": Package(command("mpicc.openmpi"), "tests on Debian's Open MPI are left out"),
    "openmpi-bin": Package(command("mpirun.openmpi"), "tests on Debian's Open MPI are left out"),
    "libmpich-dev": Package(command("mpicc.mpich"), "tests on Debian's MPICH are left out"),
    "mpich": Package(command("mpiexec.mpich"), "tests on Debian's MPICH are left out"),
    "valgrind": Package(command("valgrind"), "the count of instructions per call is left out"),
    "graphviz": Package(command("dot"), "the check that DOT pictures can be drawn is left out"),
}


def installer() -> list[str] | None:
    """The words before `apt-get`; None where packages cannot be installed."""
    if shutil.which("apt-get") is None:
        return None
    if os.geteuid() == 0:
        return []
    if (
        shutil.which("sudo")
        and subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode == 0
    ):
        return ["sudo", "-n"]
    return None


def install(names: list[str]) -> None:
    before = installer()
    if before is None:
        return
    print("installing", *names, flush=True)
    before = [*before, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "--quiet=2"]
    subprocess.run([*before, "update"], stdout=subprocess.DEVNULL)
    subprocess.run(
        [*before, "install", "--no-install-recommends", "--yes", *names], stdout=subprocess.DEVNULL
    )


def main() -> None:
    names = sys.argv[1:]
    only_look = "--only-look" in names
    names = [name for name in names if name != "--only-look"]
    unknown = [name for name in names if name not in PACKAGES]
    if unknown or not names:
        sys.exit(f"{__doc__}\npackages: {', '.join(PACKAGES)}")
    missing = [name for name in names if not PACKAGES[name].is_there()]
    if missing and not only_look:
        install(missing)
        missing = [name for name in missing if not PACKAGES[name].is_there()]
    for name in missing:
        print(f"{name} is not there: {PACKAGES[name].without_it}")
    if missing:
        print(f"to have them: apt-get install {' '.join(missing)}")
    sys.exit(1 if missing and only_look else 0)


if __name__ == "__main__":
    main()
