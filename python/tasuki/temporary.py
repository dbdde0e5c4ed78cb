"""Folders that go with the command that made them."""

from __future__ import annotations

from tempfile import TemporaryDirectory

PREFIX = "tasuki-command-"
"""Tells whose a folder is that is left because the command was killed."""


def temporary_folder() -> TemporaryDirectory[str]:
    """An empty folder in TMPDIR, which is removed at the end of a `with`."""
    return TemporaryDirectory(prefix=PREFIX)
