"""Functions of the Tasuki that runs in this process: those of tasuki.h."""

from __future__ import annotations

import ctypes


def call(name: str, *arguments: object) -> None:
    """Calls one that answers 0 or -1. RuntimeError where Tasuki does not run, or what it says."""
    process = ctypes.CDLL(None)
    try:
        function = getattr(process, name)
    except AttributeError:
        raise RuntimeError("there is no Tasuki: start the program by `tasuki run`") from None
    if function(*arguments) != 0:
        process.tasuki_error.restype = ctypes.c_char_p
        raise RuntimeError(process.tasuki_error().decode())
