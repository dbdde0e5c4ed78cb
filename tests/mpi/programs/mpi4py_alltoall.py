"""All-to-all from Python: arrays, in place, a derived datatype; checked. Says what ran."""

import ctypes

import numpy as np
from mpi4py import MPI

comm = MPI.COMM_WORLD
rank, ranks = comm.Get_rank(), comm.Get_size()


def sent_by(source: int, count: int) -> np.ndarray:
    """The blocks that `source` sends, one a row."""
    return np.arange(ranks * count).reshape(ranks, count) * 1000.0 + source


def last_algorithm() -> str:
    try:
        function = ctypes.CDLL(None).tasuki_last_algorithm
    except AttributeError:
        return "native"
    function.restype = ctypes.c_char_p
    return function(b"alltoall").decode()


for count in (1, 100, 20000):
    expected = np.array([sent_by(source, count)[rank] for source in range(ranks)])
    received = np.full((ranks, count), -1.0)
    comm.Alltoall(sent_by(rank, count), received)
    assert np.array_equal(received, expected), f"{count} doubles"
    buffer = sent_by(rank, count)
    comm.Alltoall(MPI.IN_PLACE, buffer)
    assert np.array_equal(buffer, expected), f"{count} doubles in place"
    pairs = MPI.DOUBLE.Create_vector(2, count, count).Commit()
    twice = np.full((ranks, 2 * count), -1.0)
    comm.Alltoall(sent_by(rank, 2 * count), [twice, 1, pairs])
    pairs.Free()
    assert np.array_equal(twice, [sent_by(source, 2 * count)[rank] for source in range(ranks)])

ran = comm.gather(last_algorithm())
if rank == 0:
    assert len(set(ran)) == 1, ran
    print(f"ok, ran {ran[0]} on {MPI.Get_library_version().split(',')[0].strip()}")
