// Takes a datatype apart.
#pragma once

#include <optional>

#include "transport/host/mpi_header.hpp"
#include "transport/host/runs.hpp"

namespace tasuki::host {

/// The runs of an element of `type`. nullopt: they are too many, or the type is made in a way that
/// is not known here.
std::optional<Runs> runs_of(MPI_Datatype type);

}  // namespace tasuki::host
