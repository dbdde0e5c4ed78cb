"""`tasuki doctor`: each finding says what it means, and the exit code whether anything can run."""

import errno
import json
import os
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tasuki import installation, machine
from tasuki.cli import app
from tasuki.commands import doctor
from tasuki.diagnosis import mpi, node, peer_memory
from tasuki.hosts import Compiler, Host

HOST = Host(
    name="mpich",
    abi="mpich",
    version="5.0.2",
    prefix=Path("/opt/mpich"),
    library=Path("/opt/mpich/lib/libmpi.so.12"),
    launcher=Path("/opt/mpich/bin/mpiexec"),
    compilers={"c": Compiler(("mpicc",))},
)


@pytest.fixture
def command(tmp_path, monkeypatch) -> Path:
    """A launcher that finds a library for the ABI of MPICH only."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "lib/tasuki").mkdir(parents=True)
    (tmp_path / "lib/tasuki/libtasuki-mpich.so").touch()
    (tmp_path / "bin/tasuki").touch()
    monkeypatch.setenv("TASUKI_COMMAND", str(tmp_path / "bin/tasuki"))
    return tmp_path / "bin/tasuki"


def run_doctor(monkeypatch, hosts, *arguments):
    monkeypatch.setattr(doctor, "find_hosts", lambda: hosts)
    monkeypatch.setattr(machine, "busy", lambda: "")
    return CliRunner().invoke(app, ["doctor", *arguments])


def test_an_mpi_with_our_library_is_enough(command, monkeypatch):
    result = run_doctor(monkeypatch, [HOST])
    assert result.exit_code == 0, result.output
    assert "MPI programs can run under Tasuki" in result.output


def test_without_any_mpi_nothing_can_run(command, monkeypatch):
    result = run_doctor(monkeypatch, [])
    assert result.exit_code == 1
    assert "No MPI program can run" in result.output


def test_without_a_launcher_nothing_can_run(monkeypatch, tmp_path):
    monkeypatch.setenv("TASUKI_COMMAND", str(tmp_path / "none"))
    assert run_doctor(monkeypatch, [HOST]).exit_code == 1


def test_the_json_has_all_findings(command, monkeypatch, tmp_path):
    file = tmp_path / "doctor.json"
    assert run_doctor(monkeypatch, [HOST], "--json", str(file)).exit_code == 0
    document = json.loads(file.read_text())
    assert document["can_run"] is True
    assert document["machine"]["cores"] == machine.usable_cores()
    subjects = {finding["subject"] for finding in document["findings"]}
    expected = {"launcher", "MPI mpich", "Fortran", "cores", "load", "/dev/shm"}
    assert expected | {"process_vm_readv", "devices"} == subjects
    assert all(finding["meaning"] for finding in document["findings"])


def test_json_on_the_screen_is_nothing_but_json(command, monkeypatch):
    assert json.loads(run_doctor(monkeypatch, [HOST], "--json", "-").stdout)["findings"]


def test_an_mpi_without_our_library_is_told(command):
    (finding,) = mpi.host_findings([HOST], None)
    assert finding.state == "missing" and "make demo" in finding.action
    (finding,) = mpi.host_findings([HOST], command)
    assert finding.state == "good" and "programs in C can" in finding.meaning


def test_libraries_are_found_in_the_build_folder_too(tmp_path):
    (tmp_path / "launcher").mkdir()
    (tmp_path / "interpose").mkdir()
    library = tmp_path / "interpose/libtasuki-mpi-abi.so"
    library.touch()
    assert installation.libraries(tmp_path / "launcher/tasuki") == {"mpi-abi": library}


def test_no_fortran_is_no_fault():
    finding = mpi.fortran_finding([HOST])
    assert finding.state == "absent" and "gfortran" in finding.action


@pytest.mark.parametrize(
    ("cores", "quota", "state"),
    [(1, None, "limited"), (8, None, "good"), (8, 8.0, "good"), (8, 1.5, "limited")],
)
def test_cores(cores, quota, state):
    assert node.core_finding(cores, quota).state == state


@pytest.mark.parametrize(
    ("files", "quota"),
    [
        ({"cpu.max": "150000 100000\n"}, 1.5),
        ({"cpu.max": "max 100000\n"}, None),
        ({"cpu.max": "broken"}, None),
        ({"cpu/cpu.cfs_quota_us": "50000", "cpu/cpu.cfs_period_us": "100000"}, 0.5),
        ({"cpu/cpu.cfs_quota_us": "-1", "cpu/cpu.cfs_period_us": "100000"}, None),
        ({}, None),
    ],
)
def test_the_quota_of_a_container(tmp_path, files, quota):
    (tmp_path / "cpu").mkdir()
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    assert node.core_quota(tmp_path) == quota


@pytest.mark.parametrize(
    ("text", "limit"), [("1048576\n", 1048576), ("max\n", None), (f"{2**63 - 4096}\n", None)]
)
def test_the_memory_limit_of_a_container(tmp_path, text, limit):
    assert node.memory_limit(tmp_path) is None
    (tmp_path / "memory.max").write_text(text)
    assert node.memory_limit(tmp_path) == limit


def test_shared_memory(tmp_path, monkeypatch):
    assert node.shared_memory_finding(tmp_path / "none").found == "not there"
    monkeypatch.setattr(node, "SMALL_SHARED_MEMORY", 0)
    assert node.shared_memory_finding(tmp_path).state == "good"
    monkeypatch.setattr(node, "SMALL_SHARED_MEMORY", 2**62)
    finding = node.shared_memory_finding(tmp_path)
    assert finding.state == "limited" and "--shm-size" in finding.action
    assert list(tmp_path.iterdir()) == []


def test_shared_memory_that_cannot_be_written(tmp_path, monkeypatch):
    def refuse(**options):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(node.tempfile, "TemporaryFile", refuse)
    assert "No space left" in node.shared_memory_finding(tmp_path).found


def test_load():
    assert node.load_finding("").state == "good"
    assert node.load_finding("others are using 1.0 of 2 cores").state == "limited"


@pytest.mark.skipif(sys.platform != "linux", reason="a system call of Linux")
def test_reading_another_process_is_tried():
    assert peer_memory.read_error() in (0, errno.EPERM, errno.ENOSYS)


def test_a_refused_read_is_explained(tmp_path):
    scope = tmp_path / "ptrace_scope"
    finding = peer_memory.peer_memory_finding(errno.EPERM, scope)
    assert finding.state == "limited" and "SYS_PTRACE" in finding.action
    scope.write_text("1\n")
    finding = peer_memory.peer_memory_finding(errno.EPERM, scope)
    assert "ptrace_scope=0" in finding.action and "ptrace_scope 1" in finding.found
    assert peer_memory.peer_memory_finding(0, scope).state == "good"
