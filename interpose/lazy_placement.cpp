#include "interpose/lazy_placement.hpp"

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
            found_ = on_fabric(Placement::from_nodes(nodes()), communicator_, rank_);
        } catch (const TransportError&) {
            found_.reset();
        }
        int failed = !found_.has_value();
        const int code = maximum_of_all(communicator_, {&failed, 1});
        if (code != MPI_SUCCESS || failed) found_.reset();
    }
    return found_ ? &*found_ : nullptr;
}

std::vector<std::int32_t> LazyPlacement::nodes() const {
    const auto& asked = process().placement;
    if (asked) return gather(asked->node_of(process().world_rank));
    const std::vector<Whereabouts> ranks = gather(own_whereabouts());
    auto told = nodes_of(ranks);
    if (!told) return gather(node_from_host());
    note_own_node(ranks, *told);
    return std::move(*told);
}

/// The lowest rank of the communicator on this rank's node names the node.
std::int32_t LazyPlacement::node_from_host() const {
    MPI_Comm node = MPI_COMM_NULL;
    check(PMPI_Comm_split_type(communicator_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node));
    int lowest = rank_;
    check(PMPI_Bcast(&lowest, 1, MPI_INT, 0, node));
    int ranks = 1;
    check(PMPI_Comm_size(node, &ranks));
    note_own_node(ranks, cores_together(node));
    check(PMPI_Comm_free(&node));
    return lowest;
}

void LazyPlacement::note_own_node(std::span<const Whereabouts> ranks,
                                  std::span<const std::int32_t> nodes) const {
    std::vector<Whereabouts> here;
    for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
        if (nodes[rank] == nodes[static_cast<std::size_t>(rank_)]) here.push_back(ranks[rank]);
    }
    note_own_node(static_cast<std::int32_t>(here.size()), cores_together(here));
}

void LazyPlacement::note_own_node(std::int32_t ranks, std::int32_t cores) const {
    note_node_load(ranks, cores, ranks_ == process().world_size);
}

template <typename Value>
std::vector<Value> LazyPlacement::gather(const Value& own) const {
    std::vector<Value> all(static_cast<std::size_t>(ranks_));
    check(PMPI_Allgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE,
                         communicator_));
    return all;
}

}  // namespace tasuki::interpose
