"""Programs that do what few do and all may: natively they work, and so they do under Tasuki."""

from __future__ import annotations

import pytest
from runner import Runner

KINDS = {
    "traps": "traps of floating-point exceptions",
    "rounds": "other rounding on each rank",
    "closed": "a closed standard output",
    "leaves": "error handlers that do not return",
    "late": "MPI in destructors",
    "callback": "collectives while the host deletes attributes",
    "widest": "numbers of 80 bits in types that Fortran programs make to measure",
    "gaps": "something of the program's in the gaps of MPI_DOUBLE_INT and MPI_SHORT_INT",
    "copies": "collectives and hints while MPI_Comm_idup copies their communicator",
    "children": "programs that a rank starts",
}
SETTINGS = {
    "auto": {"TASUKI_COLLECTIVES": "auto:kept=0"},
    "memory": {"TASUKI_ALLREDUCE": "ring:carrier=memory", "TASUKI_BCAST": "binomial"},
    "exact": {"TASUKI_REPRODUCIBLE": "exact"},
    "checks": {"TASUKI_CHECK_REDUCTIONS": "on"},
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("kind", KINDS)
def test_is_right_to_the_end(runner: Runner, kind: str, setting: str) -> None:
    if kind == "traps" and setting in ("exact", "checks"):
        pytest.skip("their arithmetic is the program's, where it may trap")
    if kind == "leaves" and not runner.host.name.startswith("openmpi"):
        pytest.skip("its lock stays taken, natively too")
    program = runner.program("unusual", options=["-lm"])
    result = runner.tasuki(2, [program, kind], SETTINGS[setting])
    result.expect_ok()
    assert "told different things" not in result.output, result.explain()
    assert result.output.count("ok: right to the end") == 2, result.explain()
