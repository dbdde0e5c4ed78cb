#pragma once

#include <cstdint>

#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// The size for which calls are selected whose sizes differ from rank to rank: the largest that any
/// rank has, as size_bucket() gives it. The ranks agree about it at calls 1, 2, 4, 8, ... and keep
/// to it in between, whatever the sizes are then: what is selected may be slower, never wrong.
///
/// Cost: an all-reduce of 4 bytes at those calls.
class AgreedSize {
  public:
    /// All ranks of `own` ask at the same call. Throws TransportError.
    std::int64_t next(MPI_Comm own, std::int64_t mine);

  private:
    std::uint32_t calls_ = 0;
    std::int64_t agreed_ = 0;
};

}  // namespace tasuki::interpose
