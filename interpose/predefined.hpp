// What the host calls the operations and types that kernels know.
#pragma once

#include <optional>

#include "reduce/element.hpp"
#include "reduce/operation.hpp"
#include "transport/host/datatype.hpp"
#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// nullopt: one of the program's own.
std::optional<reduction::Operation> predefined_operation(MPI_Op operation);

/// Handles of operations that no reduction takes: none, and those of one-sided communication.
bool is_no_reduction(MPI_Op operation);

/// nullopt: kernels know no such elements, or they lie elsewise on this host. `type` is predefined.
std::optional<reduction::Element> predefined_element(MPI_Datatype type,
                                                     const host::TypeLayout& layout);

}  // namespace tasuki::interpose
