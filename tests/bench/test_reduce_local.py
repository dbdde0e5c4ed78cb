"""The kernels of reductions give every host's answers."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from tasuki.cli import app
from tasuki.hosts import find_hosts

# Open MPI compares MPI_OFFSET as if it were unsigned; Debian's hosts take Fortran's 16-byte numbers
# for C's long double.
HOSTS_MISTAKES = ("MPI_OFFSET", "MPI_REAL16", "MPI_COMPLEX32")


@pytest.mark.mpi
@pytest.mark.skipif(not find_hosts(), reason="no MPI")
def test_kernels_and_hosts_agree() -> None:
    options = ["--types", "MPI_DOUBLE,MPI_SHORT", "--operations", "MPI_SUM", "--sizes", "8,4K"]
    arguments = ["bench", "reduce-local", *options, "--seconds", "0.001", "--busy", "--json", "-"]
    told = CliRunner().invoke(app, arguments)
    assert told.exit_code == 0, told.output
    document = json.loads(told.stdout)
    for name, found in document["summary"].items():
        answers = found["answers"]
        surprises = [pair for pair in answers["different"] if not pair.endswith(HOSTS_MISTAKES)]
        assert surprises == [], name
        assert answers["equal"] > 300
        assert found["over_host_geomean"] > 0
    assert {row["type"] for row in document["rows"]} == {"MPI_DOUBLE", "MPI_SHORT"}
