"""What holds for all verbs."""

from __future__ import annotations

import signal
import subprocess
import sys

WAITING = """
import time
from tasuki import cli

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
