"""`tasuki run` as users meet it: the real command before real programs, with a stand-in for the
libraries to preload that only says that it was loaded."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from launched import (
    ALLTOALL_PROGRAM,
    ALLTOALL_SCRIPT,
    LATE_PROGRAM,
    MOST_SECONDS_PER_RANK,
    MPI_PROGRAM,
    REPOSITORY,
    built_launcher,
    compiled,
    loads,
    run,
)


def test_a_singleton_gets_the_library_of_its_own_mpi(tasuki, report, tmp_path, host):
    program = compiled(host, tmp_path)
    result = run(tasuki, "run", program, environment=host.environment())
    assert (result.returncode, result.stderr) == (1, "")
    assert loads(report, host.name) == [f"{host.abi} (null)"]


def test_every_rank_gets_the_library(tasuki, report, tmp_path, host):
    program = compiled(host, tmp_path)
    command = host.launch_command(3, [tasuki, "run", "--alltoall", "bruck:radix=4", program])
    result = run(*command, environment=host.environment())
    assert result.returncode == 3, result.stderr
    assert loads(report, host.name) == [f"{host.abi} bruck:radix=4"] * 3


def test_a_shell_script_passes_it_on(tasuki, report, tmp_path, host):
    program = compiled(host, tmp_path)
    script = tmp_path / "start.sh"
    script.write_text(f"#!/bin/sh\n{program}\nexit $(($? + 40))\n")
    script.chmod(0o755)
    command = host.launch_command(2, [tasuki, "run", script])
    result = run(*command, environment=host.environment())
    assert result.returncode == 42, result.stderr
    assert loads(report, host.name) == [f"{host.abi} (null)"] * 2


def test_a_late_loader_gets_the_mpi_of_its_launcher(tasuki, report, tmp_path, host):
    script = tmp_path / "late.py"
    script.write_text(LATE_PROGRAM)
    command = host.launch_command(1, [tasuki, "run", sys.executable, script])
    result = run(*command, environment=host.environment())
    assert result.returncode == 0, result.stderr
    assert str(host.library.resolve()) in result.stdout
    assert loads(report, Path(sys.executable).name) == [f"{host.abi} (null)"]


def test_mpi4py_runs_on_the_mpi_of_its_launcher(tasuki, report, tmp_path, host):
    pytest.importorskip("mpi4py")
    if host.library.name == "libmpich.so.12":
        pytest.skip("mpi4py asks for libmpi.so.12, which Debian's MPICH does not have")
    script = "from mpi4py import MPI; print(MPI.COMM_WORLD.allreduce(1))"
    command = host.launch_command(2, [tasuki, "run", sys.executable, "-c", script])
    result = run(*command, environment=host.environment())
    assert result.returncode == 0, result.stderr
    # Hydra may put the two lines into one.
    assert "".join(result.stdout.split()) == "22"


def test_a_named_mpi_library_is_loaded_after_ours(tasuki, report, tmp_path, host):
    script = tmp_path / "late.py"
    script.write_text(LATE_PROGRAM)
    result = run(tasuki, "run", "--mpi-library", host.library, sys.executable, script)
    assert result.returncode == 0, result.stderr
    assert str(host.library.resolve()) in result.stdout
    assert loads(report, Path(sys.executable).name) == [f"{host.abi} (null)"]


def test_an_mpi_that_contradicts_the_linkage_is_refused(tasuki, report, tmp_path, host):
    program = compiled(host, tmp_path)
    other = "mpich" if host.abi == "openmpi" else "openmpi"
    result = run(tasuki, "run", "--mpi", other, program)
    assert result.returncode == 2
    assert f"is linked to {host.library.name} ({host.abi}), so {other} cannot" in result.stderr


def test_an_earlier_preload_is_kept_and_ours_is_not_repeated(tasuki, report, tmp_path, host):
    program = compiled(host, tmp_path)
    other = shutil.copy(tasuki.parents[1] / "lib/tasuki/libtasuki-mpi-abi.so", tmp_path / "o.so")
    environment = {**host.environment(), "LD_PRELOAD": str(other)}
    result = run(tasuki, "run", tasuki, "run", program, environment=environment)
    assert result.returncode == 1, result.stderr
    # Constructors run last to first, so ours, which comes first, is the last to report.
    assert loads(report, host.name) == ["mpi-abi (null)", f"{host.abi} (null)"]


def test_a_program_without_mpi_runs_and_is_told_what_to_do(tasuki, report):
    result = run(tasuki, "run", "/bin/echo", "a b", "--version")
    assert (result.returncode, result.stdout) == (0, "a b --version\n")
    assert "without Tasuki" in result.stderr and "mpirun -n 4 tasuki run" in result.stderr
    assert not report.exists()


def test_only_rank_0_speaks(tasuki, report):
    environment = {"SLURM_PROCID": "1"}
    assert run(tasuki, "run", "/bin/true", environment=environment).stderr == ""
    environment = {"SLURM_PROCID": "0"}
    assert "without Tasuki" in run(tasuki, "run", "/bin/true", environment=environment).stderr


@pytest.mark.parametrize("variable", ["PMI_RANK", "PMIX_RANK"])
def test_under_slurm_a_late_loader_needs_to_be_told_its_mpi(
    tasuki, report, tmp_path, host, variable
):
    """srun sets these variables whatever MPI the program loads."""
    script = tmp_path / "late.py"
    script.write_text(LATE_PROGRAM)
    for rank in ("0", "1"):
        environment = {variable: rank, "SLURM_PROCID": rank}
        result = run(tasuki, "run", sys.executable, script, environment=environment)
        assert (result.returncode, result.stdout) == (0, "[]\n")
        assert ("--mpi-library PATH" in result.stderr) == (rank == "0")
    environment |= {"LD_LIBRARY_PATH": str(host.library.parent)}
    command = [tasuki, "run", "--mpi", host.abi, sys.executable, script]
    assert str(host.library.resolve()) in run(*command, environment=environment).stdout


@pytest.mark.parametrize("words", [["--altoall", "x"], ["--mpi", "lam", "true"], []])
def test_wrong_use_is_told_once_and_fails_on_every_rank(tasuki, report, words):
    for rank in ("0", "1"):
        result = run(tasuki, "run", *words, environment={"PMI_RANK": rank})
        assert (result.returncode, result.stderr != "") == (2, rank == "0")


def test_what_one_rank_alone_may_meet_is_told_by_that_rank(tasuki, report, tmp_path, host):
    program = compiled(host, tmp_path)
    alone = shutil.copy(tasuki, tmp_path / "tasuki")
    environment = {**host.environment(), "SLURM_PROCID": "3"}
    who = f"tasuki: rank 3 on {socket.gethostname()}: "
    for command, code, message in (
        ([alone, "run", program, "end"], 0, f"there is no libtasuki-{host.abi}.so"),
        ([tasuki, "run", "--mpi", "mpi-abi", program], 2, "is linked to"),
        ([tasuki, "run", "--mpi-library", "/none", program], 2, "no shared library"),
        ([tasuki, "run", tmp_path / "none"], 127, "there is no program"),
    ):
        result = run(*command, environment=environment)
        assert result.returncode == code
        assert result.stderr.startswith(who) and message in result.stderr


def test_a_launcher_is_no_rank(tasuki, report):
    result = run(tasuki, "run", "mpirun", "--version")
    assert "belongs behind it" in result.stderr
    assert not report.exists()


def test_a_static_program_runs_without(tasuki, report, tmp_path):
    source = tmp_path / "static.c"
    source.write_text("int main(void) { return 9; }")
    if run("cc", "-static", source, "-o", tmp_path / "static").returncode != 0:
        pytest.skip("no static C library")
    for rank in ("0", "1"):
        result = run(tasuki, "run", tmp_path / "static", environment={"PMI_RANK": rank})
        assert result.returncode == 9
        assert f"rank {rank} on " in result.stderr and "is linked statically" in result.stderr


def test_a_program_with_the_address_sanitizer_runs(tasuki, report, tmp_path, host):
    source, program = tmp_path / "checked.c", tmp_path / "checked"
    source.write_text(MPI_PROGRAM)
    command = [*host.compile_command([source], program), "-fsanitize=address"]
    if run(*command, environment=host.environment()).returncode != 0:
        pytest.skip("no address sanitizer")
    result = run(tasuki, "run", program, "end", environment=host.environment())
    assert (result.returncode, result.stderr) == (0, "")
    assert loads(report, "checked") == [f"{host.abi} (null)"]


@pytest.mark.parametrize("kind", ["linked", "script", "late"])
def test_the_real_library_runs_the_algorithm(report, tmp_path, host, kind):
    """With the libraries of the newest build folder that has them without sanitizers."""
    name = f"libtasuki-{host.abi}.so"
    built = sorted(
        (
            path
            for path in REPOSITORY.glob(f"build/*/interpose/{name}")
            if not path.parents[1].name.endswith("san")
        ),
        key=lambda file: file.stat().st_mtime,
    )
    if not built:
        pytest.skip(f"no {name} is built")
    if kind == "late" and host.library.name == "libmpich.so.12":
        pytest.skip("mpi4py asks for libmpi.so.12, which Debian's MPICH does not have")
    launcher = Path(shutil.copy(built_launcher(), tmp_path / "tasuki"))
    shutil.copy(built[-1], tmp_path / name)
    source, program, script = tmp_path / "a2a.c", tmp_path / "a2a", tmp_path / "start.sh"
    source.write_text(ALLTOALL_PROGRAM)
    made = run(*host.compile_command([source], program), "-ldl", environment=host.environment())
    assert made.returncode == 0, made.stderr
    script.write_text(f"#!/bin/sh\n{program}\n")
    script.chmod(0o755)
    if kind == "late":
        pytest.importorskip("mpi4py")
    words = {
        "linked": [program],
        "script": [script],
        "late": [sys.executable, "-c", ALLTOALL_SCRIPT],
    }[kind]
    command = host.launch_command(3, [launcher, "run", "--alltoall", "bruck", *words])
    result = run(*command, environment=host.environment())
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() == "bruck:radix=2"


def test_a_missing_library_of_ours_is_told(tasuki, report, tmp_path, host):
    alone = shutil.copy(tasuki, tmp_path / "tasuki")
    program = compiled(host, tmp_path)
    result = run(alone, "run", program, environment=host.environment())
    assert result.returncode == 1
    assert f"there is no libtasuki-{host.abi}.so in {tmp_path}" in result.stderr


@pytest.mark.parametrize("code", [0, 1, 77, 255])
def test_exit_codes_pass_through(tasuki, report, code):
    assert run(tasuki, "run", "sh", "-c", f"exit {code}").returncode == code


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL, signal.SIGABRT])
def test_signals_pass_through(tasuki, report, number):
    result = run(tasuki, "run", "sh", "-c", f"kill -{int(number)} $$")
    assert result.returncode == -number


def test_a_program_that_is_not_there(tasuki, report, tmp_path):
    for name in ("no-such-program", "./no-such-program", ""):
        result = run(tasuki, "run", "--", name)
        assert result.returncode == 127
        assert f"there is no program '{name}'" in result.stderr
    plain = tmp_path / "plain"
    plain.write_text("text")
    result = run(tasuki, "run", plain)
    assert (result.returncode, "is not executable" in result.stderr) == (126, True)
    result = run(tasuki, "run", tmp_path)
    assert (result.returncode, "is not a file" in result.stderr) == (126, True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--altoall", "bruck", "true"],
            "no option '--altoall'; it has --alltoall, --barrier,",
        ),
        (["-n", "4", "true"], "no option '-n'"),
        (["--alltoall"], "--alltoall needs a value: --alltoall NAME[:param=value"),
        (["--verbose=2", "true"], "--verbose takes no value"),
        (["--mpi", "lam", "true"], "there are openmpi, mpich (Intel MPI too) and mpi-abi"),
        (["--mpi-library", "/none", "true"], "'/none' (--mpi-library or TASUKI_MPI_LIBRARY) is no"),
        ([], "run needs a program"),
    ],
)
def test_a_wrong_use_is_answered_with_the_right_one(tasuki, report, words, message):
    result = run(tasuki, "run", *words)
    assert result.returncode == 2
    assert message in result.stderr


def test_help_ends_with_an_example(tasuki):
    result = run(tasuki, "run", "--help")
    assert result.returncode == 0
    assert result.stdout.splitlines()[-1].startswith("Example: mpirun -n 4 tasuki run")


def test_the_version_is_that_of_the_project(tasuki):
    version = (REPOSITORY / "VERSION").read_text().strip()
    assert run(tasuki, "--version").stdout == f"tasuki {version}\n"


def test_other_verbs_are_those_of_python(tasuki):
    environment = {"TASUKI_PYTHON": sys.executable, "PYTHONPATH": str(REPOSITORY / "python")}
    result = run(tasuki, "doctor", "--help", environment=environment)
    assert result.returncode == 0, result.stderr
    assert "tasuki doctor" in result.stdout


def test_the_python_beside_the_launcher_is_taken_first(tasuki, tmp_path):
    alone = shutil.copy(tasuki, tmp_path / "tasuki")
    beside = tmp_path / "python3"
    beside.write_text('#!/bin/sh\necho beside "$@"\n')
    beside.chmod(0o755)
    assert run(alone, "list", "--json").stdout == "beside -m tasuki list --json\n"


def test_without_python_the_verbs_say_so(tasuki, tmp_path):
    result = run(tasuki, "list", environment={"PATH": str(tmp_path), "TASUKI_PYTHON": ""})
    assert result.returncode == 127
    assert "'list' needs Python 3.10 or later" in result.stderr


@pytest.mark.alone
@pytest.mark.parametrize("kind", ["linked", "without MPI", "late"])
def test_a_start_adds_little(tasuki, report, tmp_path, kind):
    """The whole of `tasuki run PROGRAM` less `PROGRAM`, in turn, for programs that end at once.

    The quickest of many starts: it tells what the work costs, whatever else the machine does."""
    # An MPI that takes no time itself, so that the difference is not lost in it.
    library, source = tmp_path / "libmpi.so.40", tmp_path / "program.c"
    source.write_text("int main(void) { return 0; }")
    for line in (
        ["-shared", "-x", "c", "/dev/null", f"-Wl,-soname,{library.name}", "-o", library],
        [
            source,
            "-Wl,--no-as-needed",
            library,
            f"-Wl,-rpath,{tmp_path}",
            "-o",
            tmp_path / "linked",
        ],
    ):
        made = run("cc", *line)
        assert made.returncode == 0, made.stderr
    program = [tmp_path / "linked"] if kind == "linked" else ["/bin/true"]
    environment, plain_environment = dict(os.environ), dict(os.environ)
    if kind == "late":
        # Such a program loads its MPI in any case: the launcher only does it earlier.
        environment |= {"OMPI_COMM_WORLD_RANK": "0", "LD_LIBRARY_PATH": str(tmp_path)}
        plain_environment["LD_PRELOAD"] = str(library)

    def seconds(command: list, environment: dict[str, str]) -> float:
        start = time.perf_counter()
        subprocess.run(command, env=environment, capture_output=True)
        return time.perf_counter() - start

    plain, through = [], []
    for turn in range(400):
        plain.append(seconds(program, plain_environment))
        through.append(seconds([tasuki, "run", *program], environment))
        added = min(through) - min(plain)
        if turn >= 20 and added < MOST_SECONDS_PER_RANK:
            break
    result = run(tasuki, "run", "--verbose", *program, environment=environment)
    assert (str(tmp_path) in result.stderr) == (kind != "without MPI"), (
        "the kind it was meant to be"
    )
    print(f"{kind}: {added * 1e3:.2f} ms added to {min(plain) * 1e3:.2f} ms")
    assert added < MOST_SECONDS_PER_RANK


def test_the_verb_is_listed_by_python_and_led_back(tasuki):
    environment = {
        "TASUKI_COMMAND": str(tasuki),
        "TASUKI_PYTHON": sys.executable,
        "PYTHONPATH": str(REPOSITORY / "python"),
    }
    verbs = run(tasuki, "--help", environment=environment)
    assert "mpirun -n 4 tasuki run" in verbs.stdout, verbs.stderr
    module = [sys.executable, "-m", "tasuki", "run"]
    assert run(*module, "--", "sh", "-c", "exit 7", environment=environment).returncode == 7
    assert run(*module, "--altoall", "x", environment=environment).returncode == 2
    assert "Example:" in run(*module, "--help", environment=environment).stdout
