"""Whether one rank may read another's memory (process_vm_readv): tried, not guessed."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

from tasuki.diagnosis.finding import Finding

PATTERN = b"read by another process"


class _Span(ctypes.Structure):
    _fields_ = (("start", ctypes.c_void_p), ("bytes", ctypes.c_size_t))


def read_error() -> int:
    """0 if a forked child can read this process's memory, else the error number.

    The child reads, not the parent: Yama lets a parent read its children, and ranks are siblings.
    """
    source = ctypes.create_string_buffer(PATTERN)
    parent = os.getpid()
    child = os.fork()
    if child == 0:
        # Whatever happens, the child must not go on as a second copy of this program.
        try:
            os._exit(_try_read(parent, source))
        finally:
            os._exit(255)
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


def _try_read(process: int, source: ctypes.Array) -> int:
    library = ctypes.CDLL(None, use_errno=True)
    target = ctypes.create_string_buffer(len(PATTERN))
    here = _Span(ctypes.addressof(target), len(PATTERN))
    there = _Span(ctypes.addressof(source), len(PATTERN))
    one, none = ctypes.c_ulong(1), ctypes.c_ulong(0)
    library.process_vm_readv.restype = ctypes.c_ssize_t
    got = library.process_vm_readv(process, ctypes.byref(here), one, ctypes.byref(there), one, none)
    if got == len(PATTERN) and target.raw == PATTERN:
        return 0
    return ctypes.get_errno() or 255


def peer_memory_finding(
    error: int, scope_file: Path = Path("/proc/sys/kernel/yama/ptrace_scope")
) -> Finding:
    try:
        scope = scope_file.read_text().strip()
    except OSError:
        scope = ""
    told = f"ptrace_scope {scope}" if scope else "no Yama"
    if error == 0:
        meaning = "large messages on this node can be copied once, from rank to rank"
        return Finding("process_vm_readv", "good", f"works ({told})", meaning)
    restricted = scope not in ("", "0")
    action = (
        "as root: sysctl kernel.yama.ptrace_scope=0"
        if restricted
        else "in a container: docker run --cap-add=SYS_PTRACE"
    )
    return Finding(
        "process_vm_readv",
        "limited",
        f"refused: {os.strerror(error)} ({told})",
        "large messages on this node are copied twice, through shared memory",
        action,
    )
