"""The mode of one communicator: the sum of 1, -1 and 2^-60s."""

from mpi4py import MPI

from tasuki.reproducible import set_reproducible

own = MPI.COMM_WORLD.Dup()
try:
    set_reproducible("exact", own)
except RuntimeError as error:
    print(error)
else:
    mine = {0: 1.0, own.size - 1: -1.0}.get(own.rank, 2.0**-60)
    values, sums = bytearray(8), bytearray(8)
    memoryview(values).cast("d")[0] = mine
    own.Allreduce([values, MPI.DOUBLE], [sums, MPI.DOUBLE])
    if own.rank == 0:
        print(memoryview(sums).cast("d")[0] * 2**60)
