"""The cache directory: where runs keep what they have learnt, and commands what was measured."""

from __future__ import annotations

import os
from pathlib import Path

from tasuki.native import core
from tasuki.output import FAILED, fail, why_not_writable

NO_CACHE = "there is no cache directory: set HOME, XDG_CACHE_HOME or TASUKI_CACHE"


def cache_folder() -> Path:
    """Ends the command where no variable tells where it is."""
    if told := core().cache_directory():
        return Path(told)
    fail(NO_CACHE, FAILED)


def check_cache_can_be_written(instead: str) -> None:
    """Ends the command if nothing can be kept there, before it has measured it; `instead` is the
    option that names another place."""
    folder = cache_folder()
    if reason := why_not_writable(folder / "kept"):
        fail(f"the cache directory {folder} cannot be written: {reason}; {instead} names a file")


def files_in_cache(beginning: str) -> list[Path]:
    """What is kept under names that begin so, in their order; nothing before anything was kept.

    Ends the command if nobody can look.
    """
    folder = cache_folder()
    try:
        # By its own entry, which needs the permission to enter, not only that to list.
        names = os.listdir(os.path.join(folder, "."))
    except FileNotFoundError:
        return []
    except OSError as error:
        fail(
            f"the cache directory {folder} cannot be looked into: {error.strerror}; expected a "
            "folder that you may enter. TASUKI_CACHE names another one",
            FAILED,
        )
    return [folder / name for name in sorted(names) if name.startswith(beginning)]
