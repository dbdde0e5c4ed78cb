// The calls that reduce whole vectors: MPI_Reduce, MPI_Allreduce, MPI_Scan, MPI_Exscan.
#pragma once

#include "calls/collectives.hpp"
#include "interpose/handled.hpp"
#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// What a rank passes to a reduction of vectors.
struct VectorArguments {
    Collective collective;
    const void* send;  ///< MPI_IN_PLACE: what stands in `receive`
    void* receive;     ///< counts where this rank gets a result
    MPI_Count count;
    MPI_Datatype type;
    MPI_Op operation;
    int root = 0;  ///< where there is one
    MPI_Comm parent;
};

/// Whether rank `rank` of `ranks` gets a result.
bool gets_result(const VectorArguments& arguments, int rank);
/// Whether its buffers and the root make sense; if not, that is the host's to say.
bool has_valid_buffers(const VectorArguments& arguments, int rank, int ranks);

/// All that handle_allreduce() and its like have to do.
Handled handle_vector(const VectorArguments& call);

}  // namespace tasuki::interpose
