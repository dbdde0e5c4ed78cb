#pragma once

#include "reduce/exact_sum.hpp"
#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// The exact sum of what was added on all ranks of `parent`, on every rank. Collective.
/// Accumulators of 552 bytes travel by the schedule allreduce/canonical-tree.
///
/// Throws std::runtime_error where Tasuki cannot act on the communicator, alike on all ranks, and
/// TransportError.
reduction::ExactSum sum_over_ranks(MPI_Comm parent, const reduction::ExactSum& mine);

}  // namespace tasuki::interpose
