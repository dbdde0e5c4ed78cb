#pragma once

#include <cstdint>

namespace tasuki::interpose {

/// What the program gets from a reduction that does not block.
enum class RequestKind : std::uint8_t {
    nonblocking,  ///< MPI_Iallreduce and its like: the request of a reduction that has begun
    persistent,   ///< MPI_Allreduce_init and its like: one that MPI_Start begins, many times
};

}  // namespace tasuki::interpose
