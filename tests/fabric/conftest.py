"""Fabrics that several tests use, and subnets without hardware: ibsim in a network namespace of
its own, with OpenSM on it."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tasuki.fabric.describe import describe
from tasuki.fabric.ibnetdiscover import ibsim_net
from tasuki.fabric.paths import Routes
from tasuki.fabric.topology import Fabric
from tasuki.fabric.tree_routing import multi_lid_tables
from tasuki.fabric.two_level import TwoLevelTree, two_level_tree

TOOLS = ("ibsim", "opensm", "ibnetdiscover", "dump_lfts", "ibtracert", "unshare", "nsenter")
PRELOADS = sorted(Path("/usr/lib").glob("*/umad2sim/libumad2sim.so"))


def why_not() -> str:
    """Why this machine cannot simulate a subnet; empty if it can."""
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    missing = [tool for tool in TOOLS if shutil.which(tool, path=path) is None]
    if missing:
        return f"not installed: {', '.join(missing)} (apt install opensm ibsim-utils " + (
            "infiniband-diags)"
        )
    if not PRELOADS:
        return "libumad2sim.so is not installed (apt install ibsim-utils)"
    if os.geteuid() != 0:
        return "a network namespace needs root"
    if subprocess.run(["unshare", "-n", "true"], capture_output=True).returncode:
        return "this system refuses network namespaces (unshare -n)"
    return ""


class SimulatedSubnet:
    """Use as a context manager. `folder` gets the files of ibsim and OpenSM."""

    def __init__(self, fabric: Fabric, folder: Path):
        self.folder = folder
        self.cache = folder / "cache"
        self.cache.mkdir(parents=True, exist_ok=True)
        self.net = folder / "net"
        self.net.write_text(ibsim_net(fabric))
        self.environment = {
            **os.environ,
            "PATH": os.environ.get("PATH", "") + ":/usr/sbin:/sbin",
            "SIM_HOST": fabric.hosts[0].name,
            # OpenSM appends file names to it, so the slash is needed.
            "OSM_CACHE_DIR": f"{self.cache}/",
            "OSM_TMP_DIR": f"{self.folder}/",
        }

    def __enter__(self) -> SimulatedSubnet:
        with (self.folder / "ibsim.out").open("w") as out:
            # Its standard input stays open as long as we hold it: at its end ibsim would spin.
            self.process = subprocess.Popen(
                ["unshare", "-n", "ibsim", "-s", str(self.net)],
                stdin=subprocess.PIPE,
                stdout=out,
                stderr=subprocess.STDOUT,
                env=self.environment,
                cwd=self.folder,
            )
        try:
            self._wait_until_it_answers()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _wait_until_it_answers(self) -> None:
        out = self.folder / "ibsim.out"
        for _ in range(20):
            time.sleep(0.3)
            # A client that meets ibsim too early waits for ever, hence the short limit.
            with contextlib.suppress(subprocess.TimeoutExpired):
                if self.run("ibnetdiscover", check=False, limit=10.0).returncode == 0:
                    return
        raise RuntimeError(f"ibsim did not come up: {out.read_text()[-500:]}")

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()

    def run(
        self, *command: str, check: bool = True, limit: float = 120.0
    ) -> subprocess.CompletedProcess[str]:
        """Runs `command` in the namespace, talking to the simulated subnet."""
        return subprocess.run(
            [
                "nsenter",
                f"--net=/proc/{self.process.pid}/ns/net",
                "env",
                f"LD_PRELOAD={PRELOADS[0]}",
                *command,
            ],
            env=self.environment,
            cwd=self.folder,
            capture_output=True,
            text=True,
            timeout=limit,
            check=check,
        )

    def opensm(self, *arguments: str) -> str:
        """One sweep of OpenSM with these arguments; returns its log."""
        log = self.folder / "opensm.log"
        log.unlink(missing_ok=True)
        self.run("opensm", "-o", *arguments, "-f", str(log))
        return log.read_text()

    def discover(self) -> str:
        return self.run("ibnetdiscover").stdout

    def dump(self) -> str:
        return self.run("dump_lfts").stdout


@pytest.fixture
def subnet_on(tmp_path):
    """subnet_on(fabric) is a SimulatedSubnet; skips where this machine cannot have one."""
    reason = why_not()
    if reason:
        pytest.skip(reason)
    return lambda fabric: SimulatedSubnet(fabric, tmp_path / "subnet")


@pytest.fixture(scope="session")
def paper_tree() -> TwoLevelTree:
    """The machine of the paper: a 6-ary-2-tree with 30 hosts."""
    return tree_of("6-ary-2-tree:nodes=30")


@pytest.fixture(scope="session")
def tree():
    """tree(description) is a two-level tree with one LID of each host through each root."""
    return tree_of


def tree_of(description: str) -> TwoLevelTree:
    fabric = describe(description)
    return two_level_tree(Routes(fabric, multi_lid_tables(fabric)))
