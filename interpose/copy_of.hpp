#pragma once

#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// A communicator of the same ranks whose errors return; MPI_COMM_NULL if the host refuses, which
/// it is kept from telling the program's error handler.
/// Collective.
MPI_Comm copy_of(MPI_Comm parent);

}  // namespace tasuki::interpose
