// Copies between a buffer of the program's and bytes of ours by the host MPI, which reaches memory
// that the processor does not.
#pragma once

#include <cstddef>

#include "interpose/communicator.hpp"
#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// `bytes` is the packed size of `count` elements of `type`; no messages of this rank to itself may
/// be under way on `communicator`. All throw TransportError.
void pack_by_host(const Communicator& communicator, const void* from, MPI_Count count,
                  MPI_Datatype type, std::byte* packed, MPI_Count bytes);
void unpack_by_host(const Communicator& communicator, const std::byte* packed, MPI_Count bytes,
                    void* to, MPI_Count count, MPI_Datatype type);

/// From one array of `count` elements to another.
void copy_by_host(const Communicator& communicator, const void* from, void* to, MPI_Count count,
                  MPI_Datatype type);

}  // namespace tasuki::interpose
