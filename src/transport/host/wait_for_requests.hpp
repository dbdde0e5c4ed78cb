#pragma once

#include "transport/host/check.hpp"
#include "transport/host/mpi_header.hpp"
#include "transport/silent_wait.hpp"

namespace tasuki::host {

/// As MPI_Waitall, but a rank that waits long gives its core away: the host's own polls as long as
/// it lasts.
/// `moving_bytes`: as SilentWait has them.
inline void wait_for_requests(int count, MPI_Request* requests, std::uint64_t moving_bytes = 0) {
    wait_in_silence(moving_bytes, [&] {
        int done = 0;
        check(PMPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE));
        return done != 0;
    });
}

}  // namespace tasuki::host
