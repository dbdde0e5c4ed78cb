"""Tasuki's libraries under the address and undefined-behaviour sanitizers, inside real programs.

`make cpp-asan-ubsan` builds the libraries. The programs are built with the address sanitizer too,
which brings its runtime into the process before Tasuki."""

from __future__ import annotations

import pytest
from runner import ROOT, Runner, candidates, has_libraries, rows

from tasuki.hosts import find_hosts

BUILT = ROOT / "build" / "asan-ubsan" / "launcher" / "tasuki"
ONE_OF_EACH_ABI = [host for host in find_hosts() if host.name in ("openmpi", "mpich")]


@pytest.fixture(params=ONE_OF_EACH_ABI, ids=lambda host: host.name)
def sanitized(request: pytest.FixtureRequest) -> Runner:
    if not has_libraries(BUILT):
        pytest.skip(f"no sanitized libraries in {BUILT.parents[1]}: make cpp-asan-ubsan")
    return Runner(request.param, BUILT)


@pytest.mark.timeout(200)
@pytest.mark.parametrize("ranks", [2, 4])
@pytest.mark.parametrize(
    ("name", "arguments"),
    [("alltoall", ["{nodes}", "4"]), ("communicators", []), ("threads", ["multiple"])],
)
def test_nothing_is_found(sanitized: Runner, ranks: int, name: str, arguments: list[str]) -> None:
    sources = ["alltoall.c", "layouts.c"] if name == "alltoall" else [f"{name}.c"]
    result = sanitized.compile(f"{name}_sanitized", sources, ["-fsanitize=address"])
    assert result.code == 0, result.explain()
    program = [sanitized.program_path(f"{name}_sanitized")]
    program += [argument.format(nodes=ranks // 2) for argument in arguments]
    # Open MPI never frees some of its memory, which is not ours to report.
    leaks = int(sanitized.host.abi != "openmpi")
    options = {"ASAN_OPTIONS": f"detect_leaks={leaks}", "UBSAN_OPTIONS": "print_stacktrace=1"}
    sanitized.native(ranks, [*program, "native"], options).expect_ok()
    chosen = candidates() if name == "alltoall" else rows()
    settings = {**options, "TASUKI_PLACEMENT": "2"}
    result = sanitized.tasuki(ranks, [*program, *chosen], settings, seconds=150)
    result.expect_ok()
    assert "runtime error" not in result.output, result.explain()


@pytest.mark.timeout(100)
def test_nothing_is_found_while_communicators_that_learn_come_and_go(sanitized: Runner) -> None:
    result = sanitized.compile("quiet_sanitized", ["quiet.c"], ["-fsanitize=address"])
    assert result.code == 0, result.explain()
    settings = {"TASUKI_COLLECTIVES": "auto", "TASUKI_DECISIONS": "ignore"}
    settings["ASAN_OPTIONS"] = f"detect_leaks={int(sanitized.host.abi != 'openmpi')}"
    program = [sanitized.program_path("quiet_sanitized"), "200"]
    sanitized.tasuki(2, program, settings, seconds=80).expect_ok()
