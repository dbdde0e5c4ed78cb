#pragma once

#include <span>

#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// Makes each of `values` the largest that any rank of `communicator` has. Gives the host's
/// code. Collective.
///
/// Not by MPI_Allreduce, for which Intel MPI (2021.18) takes memory that it has for 480
/// communicators of a process, and ends the program at the next one.
int maximum_of_all(MPI_Comm communicator, std::span<int> values);

}  // namespace tasuki::interpose
