#pragma once

#include "transport/host/mpi_header.hpp"
#include "transport/transport.hpp"

namespace tasuki::host {

/// Throws TransportError for the code of an MPI call that failed.
inline void check(int code) {
    if (code != MPI_SUCCESS) [[unlikely]]
        throw TransportError(code);
}

}  // namespace tasuki::host
