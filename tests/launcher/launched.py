"""Programs for the tests of `tasuki run`, and how they are compiled, run and looked at."""

import os
import subprocess
from pathlib import Path

import pytest

from tasuki.hosts import Host

REPOSITORY = Path(__file__).resolve().parents[2]
MOST_SECONDS_PER_RANK = 5e-3

STAND_IN = """
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
__attribute__((constructor)) static void loaded(void) {
    const char *file = getenv("STAND_IN_REPORT");
    FILE *report = file ? fopen(file, "a") : NULL;
    if (report)
        fprintf(report, "%s %s %s\\n", program_invocation_short_name, NAME,
                getenv("TASUKI_ALLTOALL"));
    if (report) fclose(report);
}
"""
MPI_PROGRAM = """
#include <mpi.h>
int main(int argc, char **argv) {
    if (argc > 1) return 0;
    MPI_Init(&argc, &argv);
    int ranks;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Finalize();
    return ranks;
}
"""
ALLTOALL_PROGRAM = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int rank, in[3] = {0}, out[3];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Alltoall(in, 1, MPI_INT, out, 1, MPI_INT, MPI_COMM_WORLD);
    const char *(*last)(const char *) = dlsym(RTLD_DEFAULT, "tasuki_last_algorithm");
    if (rank == 0) puts(last ? last("alltoall") : "no Tasuki");
    return MPI_Finalize();
}
"""
ALLTOALL_SCRIPT = """
import ctypes
from mpi4py import MPI
world = MPI.COMM_WORLD
data = bytearray(3)
world.Alltoall(bytearray(3), data)
last = ctypes.CDLL(None).tasuki_last_algorithm
last.restype = ctypes.c_char_p
if world.rank == 0:
    print(last(b"alltoall").decode())
"""
LATE_PROGRAM = """
import ctypes, os
maps = open("/proc/self/maps").read()
print(sorted({line.split()[-1] for line in maps.splitlines() if "libmpi" in line}))
"""


def built_launcher() -> Path:
    """The newest launcher of any build folder without sanitizers, which are slow, or the one that
    TASUKI_COMMAND names."""
    if named := os.environ.get("TASUKI_COMMAND"):
        return Path(named)
    found = REPOSITORY.glob("build/*/launcher/tasuki")
    plain = [file for file in found if not file.parents[1].name.endswith("san")]
    built = sorted(plain, key=lambda file: file.stat().st_mtime)
    if not built:
        pytest.skip("no launcher is built (cmake --build ... --target tasuki_command)")
    return built[-1]


def run(*command, environment=None, **options) -> subprocess.CompletedProcess:
    return subprocess.run(
        [str(word) for word in command],
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, **(environment or {})},
        **options,
    )


def loads(report: Path, program: str) -> list[str]:
    """What the stand-ins wrote in processes of that name. Others are there too: alone, Open MPI 4
    starts a daemon from MPI_Init."""
    lines = [line.split(" ", 1) for line in report.read_text().splitlines()]
    return [what for name, what in lines if name == program]


def compiled(host: Host, folder: Path) -> Path:
    source, program = folder / f"{host.name}.c", folder / host.name
    source.write_text(MPI_PROGRAM)
    made = run(*host.compile_command([source], program), environment=host.environment())
    assert made.returncode == 0, made.stderr
    return program
