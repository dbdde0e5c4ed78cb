"""What the tests of `tasuki run` start from: the real launcher, a stand-in for the libraries."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from launched import STAND_IN, built_launcher

from tasuki import hosts
from tasuki.hosts import Host


@pytest.fixture(scope="session")
def tasuki(tmp_path_factory) -> Path:
    """A launcher installed with stand-ins for the libraries."""
    prefix = tmp_path_factory.mktemp("prefix")
    (prefix / "bin").mkdir()
    (prefix / "lib/tasuki").mkdir(parents=True)
    shutil.copy(built_launcher(), prefix / "bin/tasuki")
    source = prefix / "stand_in.c"
    source.write_text(STAND_IN)
    for abi in ("openmpi", "mpich", "mpi-abi"):
        library = prefix / f"lib/tasuki/libtasuki-{abi}.so"
        command = ["cc", "-shared", "-fPIC", f'-DNAME="{abi}"', str(source), "-o", str(library)]
        subprocess.run(command, check=True)
    return prefix / "bin/tasuki"


@pytest.fixture
def report(tmp_path, monkeypatch) -> Path:
    """Where the stand-ins write. No variable of a surrounding job or shell reaches the tests."""
    for name in list(os.environ):
        if name.startswith(
            ("OMPI_", "PMI", "TASUKI_", "HYD", "I_MPI", "MPI_LOCAL", "SLURM", "LD_")
        ):
            monkeypatch.delenv(name)
    file = tmp_path / "report"
    monkeypatch.setenv("STAND_IN_REPORT", str(file))
    return file


@pytest.fixture(params=hosts.find_hosts(), ids=lambda host: host.name)
def host(request) -> Host:
    return request.param
