"""How reproducible reductions on a communicator are; see tasuki_reproducible_on in tasuki.h.

For programs under `tasuki run` that use mpi4py.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

from tasuki.control import call

if TYPE_CHECKING:
    from mpi4py.MPI import Intracomm


def set_reproducible(mode: str, communicator: Intracomm) -> None:
    """Reductions on `communicator` are "off", "placement" or "exact" from the next one on. All
    ranks call it alike. RuntimeError, on all ranks, where they do not, or Tasuki does not run."""
    call("tasuki_reproducible_on", mode.encode(), ctypes.c_int(communicator.py2f()))
