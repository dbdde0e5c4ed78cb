"""Which parameters a command works with: named ones, or those that are kept for this machine."""

from __future__ import annotations

import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tasuki.cache import files_in_cache
from tasuki.hosts import Host
from tasuki.native import core
from tasuki.output import fail, notes

MEASURE = "tasuki model measure"

# Asked in a process of its own: an MPI library in ours would stay there. The question is one of the
# few that are allowed before MPI_Init.
ASK_VERSION = """
import ctypes, sys
text, length = ctypes.create_string_buffer(8192), ctypes.c_int()
ctypes.CDLL(sys.argv[1]).MPI_Get_library_version(text, ctypes.byref(length))
print(text.value.decode(errors="replace"))
"""


@dataclass(frozen=True)
class Parameters:
    """P-LogP parameters, as text, and where they are from."""

    text: str
    source: str
    """A few words for titles."""
    measured: bool = True
    """Whether somebody measured them, here or elsewhere: not described, not built in."""


def library_version(host: Host) -> str:
    """What MPI_Get_library_version() tells; "" if the library cannot be asked."""
    try:
        result = subprocess.run(
            [sys.executable, "-c", ASK_VERSION, str(host.library)],
            capture_output=True,
            text=True,
            timeout=20,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return result.stdout if result.returncode == 0 else ""


def parameters_of_host(host: Host, ranks: int, placement: str) -> Parameters:
    """What is kept for runs of this kind, else what is built in; remarks on files go to the screen.

    ValueError if the placement is none.
    """
    fingerprint = core().fingerprint_of_run(library_version(host), ranks, placement)
    found = core().find_parameters(fingerprint)
    for message in found["messages"]:
        notes.print(message, style="yellow", highlight=False)
    told = core().read_machine(found["parameters"])["fingerprint"]
    return Parameters(found["parameters"], told, measured=bool(found["file"]))


def named_parameters(machine: str) -> Parameters:
    """Those of a described machine or of a file; ends the command if it is neither."""
    described = {row["name"]: row["parameters"] for row in core().described_machines()}
    if machine in described:
        return Parameters(described[machine], machine, measured=False)
    return Parameters(read_file(Path(machine), described), machine)


def read_file(path: Path, described: dict[str, str] | None = None) -> str:
    """The text of a file of parameters; ends the command if it is none."""
    try:
        return read_parameters(path)
    except OSError as error:
        names = f"is no described machine ({', '.join(described)}), and " if described else ""
        fail(f'"{path}" {names}cannot be read as a file: {error.strerror}')
    except ValueError as error:
        fail(f"{path}: {error}")


def read_parameters(path: Path) -> str:
    """The text of a file of parameters. OSError, or ValueError that says what is wrong with it."""
    text = path.read_text(errors="replace")
    core().read_machine(text)
    return text


def kept_files() -> list[Path]:
    """All files of parameters in the cache directory, the newest first; ends the command where
    there can be none."""
    files = [path for path in files_in_cache("plogp-") if path.suffix != ".new"]
    return sorted(files, key=lambda path: (-path.lstat().st_mtime, path.name))


def readable_files() -> tuple[dict[Path, str], bool]:
    """The texts of those of kept_files() that are good, and whether all are; of the others it is
    told why not, and how to get rid of them."""
    files = kept_files()
    texts = {}
    for path in files:
        try:
            texts[path] = read_parameters(path)
        except OSError as error:
            notes.print(f"tasuki: {path} cannot be read: {error.strerror}", style="red")
        except ValueError as error:
            removed_by = f"rm {shlex.quote(str(path))}"
            notes.print(f"tasuki: {path}: {error}. `{removed_by}` removes it", style="red")
    return texts, len(texts) == len(files)
