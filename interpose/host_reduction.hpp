#pragma once

#include "interpose/requested_reduction.hpp"

namespace tasuki::interpose {

/// The host's own blocking call, past tools that come after us: its communicator is none that the
/// program knows. Gives its code.
int reduce_by_host(const ReductionArguments& call, MPI_Comm communicator);

}  // namespace tasuki::interpose
