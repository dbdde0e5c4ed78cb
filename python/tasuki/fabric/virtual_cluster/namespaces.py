"""Network namespaces that live as long as this process holds them, and not longer."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess

from tasuki.fabric.error import FabricError

_PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
_TOOLS = ("ip", "tc", "unshare", "nsenter", "hostname", "setpriv")


def why_not() -> str:
    """Why this machine cannot make namespaces; empty if it can."""
    missing = [tool for tool in _TOOLS if shutil.which(tool, path=_PATH) is None]
    if missing:
        return f"not installed: {', '.join(missing)} (apt install iproute2 util-linux hostname)"
    if os.geteuid() != 0:
        return "network namespaces need root"
    if subprocess.run(["unshare", "-n", "-u", "true"], capture_output=True).returncode:
        return "this system refuses network namespaces (unshare -n -u)"
    return ""


class Namespace:
    """One network namespace, with a host name of its own. Its holder waits for the end of its
    standard input, so it ends, and the namespace with all its devices, even when we are killed."""

    def __init__(self, name: str = "outside") -> None:
        script = f"hostname {shlex.quote(name)} && echo ready && exec cat"
        self._holder = subprocess.Popen(
            ["unshare", "-n", "-u", "sh", "-c", script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PATH": _PATH},
        )
        assert self._holder.stdout is not None
        if self._holder.stdout.readline() != b"ready\n":
            raise FabricError("a network namespace could not be made")
        self.process = self._holder.pid

    def command(self, *arguments: str) -> list[str]:
        """`arguments` as a command that runs inside."""
        of = f"/proc/{self.process}/ns"
        return ["nsenter", f"--net={of}/net", f"--uts={of}/uts", *arguments]

    def batch(self, tool: str, lines: list[str]) -> None:
        """Runs `lines` by one `ip` or `tc` (its -batch mode) inside."""
        if not lines:
            return
        result = subprocess.run(
            self.command(tool, "-batch", "-"),
            input="\n".join(lines) + "\n",
            capture_output=True,
            text=True,
            env={**os.environ, "PATH": _PATH},
        )
        if result.returncode:
            raise FabricError(f"{tool} in a namespace failed: {result.stderr.strip()[:300]}")

    def set(self, **values: str) -> None:
        """Sets /proc/sys/net/ipv4 values inside; double underscores stand for slashes."""
        script = "; ".join(
            f"echo {value} > /proc/sys/net/ipv4/{name.replace('__', '/')}"
            for name, value in values.items()
        )
        subprocess.run(self.command("sh", "-c", script), check=True, capture_output=True)

    def close(self) -> None:
        assert self._holder.stdin is not None and self._holder.stdout is not None
        self._holder.stdin.close()
        self._holder.wait()
        self._holder.stdout.close()
