"""Folders that go with the command that made them."""

from __future__ import annotations

from tempfile import TemporaryDirectory

PREFIX = "tasuki-command-"
"""Tells whose a folder is that is left because the command was killed."""


def temporary_folder(ignore_cleanup_errors: bool = False) -> TemporaryDirectory[str]:
    """An empty folder in TMPDIR, which is removed at the end of a `with`. That must not fail where
    processes that were killed may still write into it: then `ignore_cleanup_errors`."""
    return TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=ignore_cleanup_errors)
