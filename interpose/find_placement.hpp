#pragma once

#include "schedule/placement.hpp"
#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// Which rank of `communicator` runs on which node: as the host says who shares memory, or as
/// TASUKI_PLACEMENT says of MPI_COMM_WORLD. Collective. Throws TransportError.
///
/// Cost: a split and an all-gather of 4 bytes a rank; what is gathered is dropped, unless the
/// placement is irregular.
Placement find_placement(MPI_Comm communicator, int rank, int ranks);

}  // namespace tasuki::interpose
