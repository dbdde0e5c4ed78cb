"""The extension module tasuki._core, or a sentence that says how to get it."""

from __future__ import annotations

from types import ModuleType

from tasuki.output import FAILED, fail


def core() -> ModuleType:
    """tasuki._core; ends the command if it was not built."""
    try:
        from tasuki import _core
    except ImportError as error:
        fail(
            f"the extension module tasuki._core is not there ({error}): this command reads "
            "schedules by it. Install Python's headers (Debian: apt-get install python3-dev), "
            "then run `make demo` in the checkout.",
            FAILED,
        )
    return _core
