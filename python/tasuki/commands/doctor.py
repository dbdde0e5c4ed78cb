"""`tasuki doctor`: what was found on this machine, what it means and what to do."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from tasuki import installation, machine
from tasuki.diagnosis import mpi, node, peer_memory
from tasuki.diagnosis.finding import Finding
from tasuki.hosts import Host, find_hosts
from tasuki.output import FAILED, check_json, console, is_screen, write_json

COLOURS = {"good": "green", "limited": "yellow", "missing": "red", "absent": "dim"}


def register(app: typer.Typer) -> None:
    app.command("doctor", epilog="Example: tasuki doctor --json -")(doctor)


def doctor(
    json: Annotated[
        Path | None,
        typer.Option(
            callback=check_json,
            metavar="FILE",
            help="Write the findings to FILE, or - for the screen.",
        ),
    ] = None,
) -> None:
    """Say what Tasuki finds on this machine. Exit code 1 if no MPI program can run under it."""
    command, hosts = installation.launcher(), find_hosts()
    findings = examine(command, hosts)
    able = can_run(command, hosts)
    if json is not None:
        document = {
            "machine": machine.machine_facts(),
            "can_run": able,
            "findings": [dataclasses.asdict(finding) for finding in findings],
        }
        write_json(document, json)
    if not is_screen(json):
        console.print(_table(findings))
        console.print(_summary(able, findings), highlight=False)
    if not able:
        raise typer.Exit(FAILED)


def examine(command: Path | None, hosts: Sequence[Host]) -> list[Finding]:
    return [
        mpi.command_finding(command),
        *mpi.host_findings(hosts, command),
        mpi.fortran_finding(hosts),
        node.core_finding(machine.usable_cores(), node.core_quota()),
        node.load_finding(machine.busy()),
        node.shared_memory_finding(),
        peer_memory.peer_memory_finding(peer_memory.read_error()),
        node.device_finding(),
    ]


def can_run(command: Path | None, hosts: Sequence[Host]) -> bool:
    """Whether there is one MPI at least that has everything that `tasuki run` needs."""
    libraries = installation.libraries(command) if command else {}
    return any(host.abi in libraries for host in hosts)


def _table(findings: Sequence[Finding]) -> Table:
    table = Table(show_lines=True)
    for title in ("", "what", "found", "what it means, what to do"):
        table.add_column(title, overflow="fold")
    for finding in findings:
        meaning = Text(finding.meaning)
        if finding.action:
            meaning.append(f"\n-> {finding.action}", style="bold")
        state = Text(finding.state, style=COLOURS[finding.state])
        table.add_row(state, Text(finding.subject), Text(finding.found), meaning)
    return table


def _summary(able: bool, findings: Sequence[Finding]) -> str:
    if not able:
        return "No MPI program can run under Tasuki yet: see what is missing."
    limited = [finding.subject for finding in findings if finding.state == "limited"]
    if limited:
        return f"MPI programs can run under Tasuki, less well for: {', '.join(limited)}."
    return "MPI programs can run under Tasuki."
