#include "interpose/lazy_placement.hpp"

#include <vector>

#include "interpose/fabric_routes.hpp"
#include "interpose/maximum_of_all.hpp"
#include "interpose/node_load.hpp"
#include "interpose/process.hpp"
#include "transport/host/check.hpp"

namespace tasuki::interpose {

using host::check;

const Placement* LazyPlacement::get() {
    if (!is_searched_) {
        is_searched_ = true;
        try {
            find();
        } catch (const TransportError&) {
            found_.reset();
        }
        int failed = !found_.has_value();
        const int code = maximum_of_all(communicator_, {&failed, 1});
        if (code != MPI_SUCCESS || failed) found_.reset();
    }
    return found_ ? &*found_ : nullptr;
}

void LazyPlacement::find() {
    const int mine = node();
    std::vector<std::int32_t> nodes(ranks_);
    check(PMPI_Allgather(&mine, 1, MPI_INT, nodes.data(), 1, MPI_INT, communicator_));
    found_ = on_fabric(Placement::from_nodes(nodes), communicator_, rank_);
}

int LazyPlacement::node() const {
    const auto& asked = process().placement;
    return asked ? asked->node_of(process().world_rank) : node_from_host();
}

/// The lowest rank of the communicator on this rank's node names the node.
int LazyPlacement::node_from_host() const {
    MPI_Comm node = MPI_COMM_NULL;
    check(PMPI_Comm_split_type(communicator_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node));
    int lowest = rank_;
    check(PMPI_Bcast(&lowest, 1, MPI_INT, 0, node));
    int ranks = 1;
    check(PMPI_Comm_size(node, &ranks));
    note_node_load(ranks, cores_together(node), ranks_ == process().world_size);
    check(PMPI_Comm_free(&node));
    return lowest;
}

}  // namespace tasuki::interpose
