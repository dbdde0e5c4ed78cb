// Non-blocking and persistent reductions where a mode of reproducibility is on.
#pragma once

#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// By MPI_Allreduce_init and its like: where a mode is on, says once that they are the host's own.
void tell_of_persistent(MPI_Comm communicator);

}  // namespace tasuki::interpose
