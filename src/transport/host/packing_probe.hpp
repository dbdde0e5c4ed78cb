// What hosts pack wrongly.
#pragma once

#include "transport/host/mpi_header.hpp"

namespace tasuki::host {

/// Whether the host packs and unpacks complex numbers with gaps between them as MPI says. Open MPI
/// 5.0 does not where they lie at odd multiples of a half of them, though its messages between
/// ranks are right as long as they are short. Looked at once, without communication.
bool host_packs_complex_numbers();

/// Whether an element of `type` has a complex number.
bool has_complex_numbers(MPI_Datatype type);

}  // namespace tasuki::host
