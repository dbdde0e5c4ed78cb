#include "interpose/abort_run.hpp"

#include <cstdlib>

#include "interpose/process.hpp"
#include "interpose/say.hpp"
#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

void abort_run(const std::string& why) {
    say("rank " + std::to_string(process().world_rank) + " " + why +
        ", and the other ranks would wait for it for ever. The run ends.");
    PMPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    std::abort();
}

}  // namespace tasuki::interpose
