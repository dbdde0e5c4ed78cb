"""The form in which every benchmark gives its results, and when it refuses to take them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tasuki.hosts import Host
from tasuki.machine import busy, machine_facts
from tasuki.output import FAILED, fail, notes

Row = dict[str, Any]


def document(
    benchmark: str,
    hosts: Sequence[Host],
    ranks: Sequence[int],
    rows: Sequence[Row],
    summary: dict[str, Any],
) -> dict[str, Any]:
    """What `--json` writes; the version of each MPI stands with the facts about the machine."""
    machine = machine_facts() | {"mpi_versions": {host.name: host.version for host in hosts}}
    return {
        "benchmark": benchmark,
        "machine": machine,
        "mpi": [host.name for host in hosts],
        "ranks": list(ranks),
        "rows": list(rows),
        "summary": summary,
    }


def check_is_quiet(allow_busy: bool) -> None:
    """Ends the command if the machine is busy; with `allow_busy` it only says so."""
    if not (reason := busy()):
        return
    if not allow_busy:
        fail(
            f"this is no moment to measure: {reason}. Try again when the machine is quiet, or "
            "measure in spite of it by --busy (of `bench collective` and `program`: --busy 0)",
            FAILED,
        )
    notes.print(f"Measured on a busy machine: {reason}.", style="yellow")


def load_text() -> str:
    """The load of the machine in words, for the caption of a table."""
    facts = machine_facts()
    return f"{facts['cpu']}, {facts['cores']} cores, load {facts['load'][0]:.1f}"
