#pragma once

#include "schedule/placement.hpp"
#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// `placement` of `communicator` with the routes to its nodes, or with the reason why they are not
/// known. A node is the host of this name in the file that TASUKI_FABRIC names; where
/// TASUKI_PLACEMENT tells the nodes, node i of MPI_COMM_WORLD is the i-th host of the file.
/// Collective, and the same on all ranks. Throws TransportError.
///
/// Cost: an all-gather of 4 bytes a rank, nothing where no fabric was named.
Placement on_fabric(const Placement& placement, MPI_Comm communicator, int rank);

}  // namespace tasuki::interpose
