"""Sums of arrays that the ranks of an MPI program share: the same bits on any number of ranks.

For programs under `tasuki run` that use mpi4py; see tasuki_exact_sum in tasuki.h.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

import numpy as np

from tasuki.control import call

if TYPE_CHECKING:
    from mpi4py.MPI import Intracomm
    from numpy.typing import ArrayLike


def exact_sum(values: ArrayLike, communicator: Intracomm) -> float:
    """The exact sum of the doubles that all ranks have, rounded once. All ranks call it, each with
    any number of values. RuntimeError, on all ranks, where Tasuki does not run."""
    return _call("tasuki_exact_sum", [_doubles(values)], communicator)


def exact_dot(left: ArrayLike, right: ArrayLike, communicator: Intracomm) -> float:
    """The exact sum of left[i] * right[i] over all ranks, rounded once, as exact_sum()."""
    arrays = [_doubles(left), _doubles(right)]
    if arrays[0].size != arrays[1].size:
        raise ValueError(f"exact_dot of {arrays[0].size} and {arrays[1].size} values")
    return _call("tasuki_exact_dot", arrays, communicator)


def _doubles(values: ArrayLike) -> np.ndarray:
    return np.ascontiguousarray(values, dtype=np.float64)


def _call(name: str, arrays: list[np.ndarray], communicator: Intracomm) -> float:
    result = ctypes.c_double()
    addresses = [ctypes.c_void_p(array.ctypes.data) for array in arrays]
    count = ctypes.c_size_t(arrays[0].size)
    call(name, *addresses, count, ctypes.c_int(communicator.py2f()), ctypes.byref(result))
    return result.value
