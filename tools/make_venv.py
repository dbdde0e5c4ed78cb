"""Makes a virtual environment with pip in it, also where Debian's python3-venv is missing.

usage: make_venv.py DIRECTORY

Python's own way (ensurepip) is tried first, then an installed pip, then pip's wheel from the
package index (PIP_INDEX_URL, else PyPI), whose checksum is known here. Needs no root.
"""

import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import tempfile
import urllib.parse
import urllib.request
import venv
from pathlib import Path

OLDEST = (3, 10)
PIP_WHEEL = "pip-26.3-py3-none-any.whl"
PIP_SHA256 = "f3b60b20ffaadd4415ed7957212a38ac63fa4c5fa375bd0f4a797777940fad13"
NO_PIP = (
    "This Python can make no virtual environment with pip (Debian keeps that in a package of its "
    "own), and pip could not be fetched either: {reason}\nInstall it and repeat:\n"
    "    apt-get install python3-venv"
)


def has_module(name: str) -> bool:
    return importlib.util.find_spec(name) is not None


def fetch_pip(folder: Path) -> Path:
    """Download pip's wheel from the index into `folder`; raises OSError or ValueError."""
    index = os.environ.get("PIP_INDEX_URL", "https://pypi.org/simple").rstrip("/") + "/pip/"
    with urllib.request.urlopen(index, timeout=60) as answer:
        page = answer.read().decode()
    links = re.findall(rf'href="([^"]*{re.escape(PIP_WHEEL)}[^"]*)"', page)
    if not links:
        raise ValueError(f"{index} does not offer {PIP_WHEEL}")
    with urllib.request.urlopen(urllib.parse.urljoin(index, links[0]), timeout=60) as answer:
        content = answer.read()
    if hashlib.sha256(content).hexdigest() != PIP_SHA256:
        raise ValueError(f"{PIP_WHEEL} from {index} is not the file that was expected")
    wheel = folder / PIP_WHEEL
    wheel.write_bytes(content)
    return wheel


def make(directory: Path) -> None:
    if has_module("ensurepip"):
        venv.create(directory, with_pip=True)
        return
    venv.create(directory, with_pip=False)
    python = directory / "bin" / "python"
    if has_module("pip"):
        subprocess.run(
            [sys.executable, "-m", "pip", "--python", python, "install", "pip"], check=True
        )
        return
    with tempfile.TemporaryDirectory() as folder:
        try:
            wheel = fetch_pip(Path(folder))
        except (OSError, ValueError) as error:
            sys.exit(NO_PIP.format(reason=error))
        subprocess.run(
            [python, wheel / "pip", "install", "--no-index", "--no-deps", wheel], check=True
        )


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if sys.version_info < OLDEST:
        sys.exit(f"Tasuki needs Python 3.10 or later; {sys.executable} is {sys.version.split()[0]}")
    make(Path(sys.argv[1]))


if __name__ == "__main__":
    main()
