"""The Python functions: the sum of 0.1, 100 times on each rank, and of its products with 10."""

import numpy as np
from mpi4py import MPI

from tasuki.exact import exact_dot, exact_sum

comm = MPI.COMM_WORLD
values = np.full(200, 0.1)[::2]
total, product = exact_sum(values, comm), exact_dot(values, values * 10, comm)
if comm.Get_rank() == 0:
    print(0, 0, total, product)
