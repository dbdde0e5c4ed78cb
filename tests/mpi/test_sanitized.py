"""Tasuki's libraries under the address, undefined-behaviour and thread sanitizers, inside real
programs.

`make cpp-asan-ubsan` builds the libraries. The programs are built with the address sanitizer too,
which brings its runtime into the process before Tasuki."""

from __future__ import annotations

import random
import struct
import subprocess
from pathlib import Path

import pytest
from runner import ROOT, Result, Runner, candidates, has_libraries, rows, table
from test_collectives import COLLECTIVES, SOURCES

from tasuki.hosts import Host, find_hosts

BUILT = ROOT / "build" / "asan-ubsan" / "launcher" / "tasuki"
BUILT_FOR_RACES = ROOT / "build" / "tsan" / "launcher" / "tasuki"
MPICH = [host for host in find_hosts() if host.name == "mpich"]
ONE_OF_EACH_ABI = [host for host in find_hosts() if host.name in ("openmpi", "mpich")]


@pytest.fixture(params=ONE_OF_EACH_ABI, ids=lambda host: host.name)
def sanitized(request: pytest.FixtureRequest) -> Runner:
    if not has_libraries(BUILT):
        pytest.skip(f"no sanitized libraries in {BUILT.parents[1]}: make cpp-asan-ubsan")
    return Runner(request.param, BUILT)


def compiled(sanitized: Runner, name: str, sources: list[str]) -> Path:
    result = sanitized.compile(f"{name}_sanitized", sources, ["-fsanitize=address", "-lm"])
    assert result.code == 0, result.explain()
    return sanitized.program_path(f"{name}_sanitized")


def options_of(sanitized: Runner) -> dict[str, str]:
    # Open MPI never frees some of its memory, which is not ours to report.
    leaks = int(sanitized.host.abi != "openmpi")
    return {"ASAN_OPTIONS": f"detect_leaks={leaks}", "UBSAN_OPTIONS": "print_stacktrace=1"}


def expect_nothing_found(result: Result) -> None:
    result.expect_ok()
    assert "runtime error" not in result.output, result.explain()


@pytest.mark.timeout(200)
@pytest.mark.parametrize("ranks", [2, 4])
@pytest.mark.parametrize(
    ("name", "arguments"),
    [("alltoall", ["{nodes}", "4"]), ("communicators", []), ("threads", ["multiple"])],
)
def test_nothing_is_found(sanitized: Runner, ranks: int, name: str, arguments: list[str]) -> None:
    sources = ["alltoall.c", "layouts.c"] if name == "alltoall" else [f"{name}.c"]
    program = [compiled(sanitized, name, sources)]
    program += [argument.format(nodes=ranks // 2) for argument in arguments]
    options = options_of(sanitized)
    sanitized.native(ranks, [*program, "native"], options).expect_ok()
    chosen = candidates() if name == "alltoall" else rows()
    settings = {**options, "TASUKI_PLACEMENT": "2"}
    result = sanitized.tasuki(ranks, [*program, *chosen], settings, seconds=150)
    expect_nothing_found(result)


@pytest.mark.timeout(200)
def test_nothing_is_found_in_any_collective(sanitized: Runner) -> None:
    """Each MPI call by learning, and by one row whose messages go by the host and by memory."""
    arguments = []
    for collective in COLLECTIVES:
        row = table(collective)[-1]["name"]
        choices = ("auto:kept=0", row, f"{row}:carrier=memory")
        arguments += [f"{collective}/{choice}" for choice in choices]
    program = compiled(sanitized, "collectives", ["collectives.c", *SOURCES])
    settings = {**options_of(sanitized), "TASUKI_PLACEMENT": "3"}
    command = [program, "11", "3", *arguments]
    expect_nothing_found(sanitized.tasuki(3, command, settings, seconds=150))


@pytest.mark.timeout(100)
@pytest.mark.parametrize(
    ("name", "mode", "arguments"),
    [
        ("reproducible", "placement", ["placement", "{native}"]),
        ("communicator_modes", "off", ["off"]),
        ("shared_sums", "off", []),
        ("reducing_threads", "off", []),
        ("order", "exact", []),
    ],
)
def test_nothing_is_found_in_modes_of_reductions(
    sanitized: Runner, name: str, mode: str, arguments: list[str], tmp_path: Path
) -> None:
    program: list[str | Path] = [compiled(sanitized, name, [f"{name}.c"])]
    reducing = ("allreduce", "reduce", "scan", "exscan", "reduce-scatter")
    for argument in arguments:
        native = argument == "{native}"
        program += [f"{collective}/native" for collective in reducing] if native else [argument]
    settings = {**options_of(sanitized), "TASUKI_REPRODUCIBLE": mode, "KINDS": "5"}
    settings["TASUKI_COLLECTIVES"] = "auto:kept=0"
    if name == "order":
        settings["TASUKI_CHECK_REDUCTIONS"] = str(tmp_path / "report.json")
    ranks = 4 if name == "communicator_modes" else 3
    expect_nothing_found(sanitized.tasuki(ranks, program, settings, seconds=90))


@pytest.mark.timeout(100)
@pytest.mark.parametrize("name", ["nonblocking", "persistent"])
@pytest.mark.parametrize(("mode", "placement"), [("placement", "0,1,0"), ("exact", "")])
def test_nothing_is_found_in_reductions_with_a_request(
    sanitized: Runner, name: str, mode: str, placement: str
) -> None:
    """A thread carries them out, and what the program frees meanwhile is kept for it."""
    program = compiled(sanitized, name, [f"{name}.c"])
    settings = {**options_of(sanitized), "TASUKI_REPRODUCIBLE": mode}
    settings["TASUKI_PLACEMENT"] = placement
    expect_nothing_found(sanitized.tasuki(3, [program, mode], settings, seconds=90))


@pytest.mark.timeout(100)
@pytest.mark.parametrize("count", [6, 2400], ids=["short", "long"])
def test_nothing_is_found_in_exact_sums(sanitized: Runner, count: int, tmp_path: Path) -> None:
    draw = random.Random(count)
    numbers = [draw.uniform(-1, 1) * 2.0 ** draw.randint(-300, 300) for _ in range(3 * count)]
    (tmp_path / "input").write_bytes(struct.pack(f"{len(numbers)}d", *numbers))
    program = compiled(sanitized, "exact_sums", ["exact_sums.c"])
    arguments = [program, tmp_path / "input", tmp_path / "output", str(count)]
    settings = {**options_of(sanitized), "TASUKI_REPRODUCIBLE": "exact"}
    expect_nothing_found(sanitized.tasuki(3, arguments, settings, seconds=90))


@pytest.mark.timeout(100)
def test_nothing_is_found_while_communicators_that_learn_come_and_go(sanitized: Runner) -> None:
    result = sanitized.compile("quiet_sanitized", ["quiet.c"], ["-fsanitize=address"])
    assert result.code == 0, result.explain()
    settings = {"TASUKI_COLLECTIVES": "auto", "TASUKI_DECISIONS": "ignore"}
    settings["ASAN_OPTIONS"] = f"detect_leaks={int(sanitized.host.abi != 'openmpi')}"
    program = [sanitized.program_path("quiet_sanitized"), "200"]
    sanitized.tasuki(2, program, settings, seconds=80).expect_ok()


# The thread sanitizer of GCC 12 takes what is read of other processes for memory of its own, and
# does not survive the hooks of UCX; it needs an address space that is not random.
WITHOUT_REMOTE_COPIES = {"UCX_TLS": "^cma", "MPIR_CVAR_CH4_CMA_ENABLE": "0"}
WITHOUT_HOOKS = {"UCX_MEM_EVENTS": "no", "UCX_MEM_MMAP_HOOK_MODE": "none"}
NOT_RANDOM = ["setarch", "-R"]


@pytest.mark.timeout(150)
@pytest.mark.parametrize("host", MPICH, ids=lambda host: host.name)
@pytest.mark.parametrize(
    ("name", "mode", "arguments"),
    [
        ("nonblocking", "placement", ["placement"]),
        ("nonblocking", "exact", ["exact"]),
        ("persistent", "placement", ["placement"]),
        ("persistent", "exact", ["exact"]),
        ("reducing_threads", "off", []),
    ],
)
def test_no_races_are_found(host: Host, name: str, mode: str, arguments: list[str]) -> None:
    """`make cpp-tsan` builds the libraries. What the host does is not looked at, and the program
    only brings the sanitizer's runtime: both order their work by the host's own means."""
    if not has_libraries(BUILT_FOR_RACES):
        pytest.skip("no libraries for the thread sanitizer: make cpp-tsan")
    runner = Runner(host, BUILT_FOR_RACES)
    options = ["-Wl,--no-as-needed", "-ltsan", "-lm"]
    compiled = runner.compile(f"{name}_races", [f"{name}.c"], options)
    assert compiled.code == 0, compiled.explain()
    denied = [runner.program("denied"), "all", "copies"]
    can_be_told = subprocess.run([*NOT_RANDOM, "true"], capture_output=True).returncode == 0
    start = [*(NOT_RANDOM if can_be_told else []), *denied, BUILT_FOR_RACES, "run"]
    settings = {
        **WITHOUT_REMOTE_COPIES,
        **WITHOUT_HOOKS,
        "TSAN_OPTIONS": "ignore_noninstrumented_modules=1",
        "EXPECT_TASUKI": "1",
        "TASUKI_REPRODUCIBLE": mode,
        "TASUKI_COLLECTIVES": "auto:kept=0",
    }
    command = [*start, runner.program_path(f"{name}_races"), *arguments]
    result = runner.native(3, command, settings, seconds=120)
    result.expect_ok()
    assert "ThreadSanitizer" not in result.output, result.explain()
