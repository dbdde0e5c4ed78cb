"""What holds for all verbs."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tasuki.installation import include_folder, launcher

ROOT = Path(__file__).resolve().parents[2]
WAITING = """
import signal
import time
from tasuki import cli

# What runs in the background of a shell ignores it.
signal.signal(signal.SIGINT, signal.default_int_handler)

@cli.app.command("wait")
def wait() -> None:
    try:
        print("begun", flush=True)
        time.sleep(60)
    finally:
        print("ended", flush=True)

cli.app(["wait"])
"""


def test_who_ends_a_command_ends_what_it_has_started() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WAITING], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGTERM)
        assert process.stdout.readline() == "ended\n"
        assert process.wait(10) == 128 + signal.SIGTERM


LAUNCHING = """
from tasuki import cli
from tasuki.bench.support.launch import lines_of

@cli.app.command("wait")
def wait() -> None:
    program = "trap 'sleep 0.6; exit 3' TERM; echo $$; sleep 60 & wait"
    for line in lines_of(["sh", "-c", program], "sh", 60):
        print(line, end="", flush=True)

cli.app(["wait"])
"""


def test_who_is_told_to_leave_twice_still_ends_what_it_has_started() -> None:
    """`timeout make demo` signals its group, and make, which is in it, signals us once more."""
    with subprocess.Popen(
        [sys.executable, "-c", LAUNCHING], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        program = int(process.stdout.readline())
        process.send_signal(signal.SIGTERM)
        time.sleep(0.3)
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 128 + signal.SIGTERM
        assert not Path(f"/proc/{program}").exists()


def test_who_interrupts_a_command_is_told_so() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", WAITING],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline() == "begun\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 128 + signal.SIGINT
        assert process.stderr.read() == "tasuki: interrupted\n"


@pytest.mark.parametrize("arguments", [["model", "list"], ["--help"], ["list", "--json", "-"]])
def test_a_full_output_is_told(arguments: list[str]) -> None:
    pytest.importorskip("tasuki._core")
    with open("/dev/full", "w") as full:
        told = subprocess.run(
            [sys.executable, "-m", "tasuki", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert told.returncode == 1
    assert told.stderr.startswith("tasuki: what was to be written could not be: No space left")
    assert len(told.stderr.splitlines()) == 1


def test_help_names_what_the_launcher_understands() -> None:
    def told(option: str) -> str:
        command = [sys.executable, "-m", "tasuki", option]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert "--version" in told("--help") and "-h " in told("--help")
    assert told("-h") == told("--help")
    assert told("--version") == f"tasuki {(ROOT / 'VERSION').read_text().strip()}\n"


def test_the_header_and_the_fortran_module_are_found() -> None:
    if launcher() is None:
        pytest.skip("no tasuki is installed")
    told = subprocess.run(
        [sys.executable, "-m", "tasuki", "--include-dir"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    folder = Path(told.stdout.strip())
    assert "tasuki_exact_sum" in (folder / "tasuki.h").read_text()
    assert "module tasuki" in (folder / "tasuki.f90").read_text()


def test_an_installation_has_them_beside_its_programs(tmp_path: Path) -> None:
    (tmp_path / "include/tasuki").mkdir(parents=True)
    command = tmp_path / "bin/tasuki"
    assert include_folder(command) is None
    (tmp_path / "include/tasuki/tasuki.h").touch()
    assert include_folder(command) == tmp_path / "include/tasuki"
