#include "interpose/find_placement.hpp"

#include <vector>

#include "interpose/fabric_routes.hpp"
#include "interpose/process.hpp"
#include "transport/host/check.hpp"

namespace tasuki::interpose {

namespace {

using host::check;

/// The lowest rank of `communicator` on this rank's node names the node.
int node_from_host(MPI_Comm communicator, int rank) {
    MPI_Comm node = MPI_COMM_NULL;
    check(PMPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node));
    int lowest = rank;
    check(PMPI_Bcast(&lowest, 1, MPI_INT, 0, node));
    check(PMPI_Comm_free(&node));
    return lowest;
}

}  // namespace

Placement find_placement(MPI_Comm communicator, int rank, int ranks) {
    const auto& asked = process().placement;
    const int mine =
        asked ? asked->node_of(process().world_rank) : node_from_host(communicator, rank);
    std::vector<std::int32_t> nodes(ranks);
    host::check(PMPI_Allgather(&mine, 1, MPI_INT, nodes.data(), 1, MPI_INT, communicator));
    return on_fabric(Placement::from_nodes(nodes), communicator, rank);
}

}  // namespace tasuki::interpose
