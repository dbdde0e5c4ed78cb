#include "interpose/lazy_placement.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "interpose/fabric_routes.hpp"
#include "interpose/maximum_of_all.hpp"
#include "interpose/node_load.hpp"
#include "interpose/process.hpp"
#include "transport/host/check.hpp"

namespace tasuki::interpose {

using host::check;

namespace {

/// The nodes, numbered from 0 in the order of their first ranks.
std::vector<std::int32_t> numbers_of(std::span<const Whereabouts> ranks) {
    std::unordered_map<std::uint64_t, std::int32_t> number_of_node;
    std::vector<std::int32_t> numbers;
    numbers.reserve(ranks.size());
    for (const Whereabouts& rank : ranks) {
        const auto next = static_cast<std::int32_t>(number_of_node.size());
        numbers.push_back(number_of_node.try_emplace(rank.node, next).first->second);
    }
    return numbers;
}

}  // namespace

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
    const std::vector<Whereabouts> ranks = gather();
    if (!process().placement) note_own_node(ranks);
    found_ = on_fabric(Placement::from_nodes(numbers_of(ranks)), communicator_, rank_);
}

std::vector<Whereabouts> LazyPlacement::gather() const {
    Whereabouts own = own_whereabouts();
    const auto& asked = process().placement;
    if (asked) own.node = static_cast<std::uint64_t>(asked->node_of(process().world_rank));
    std::vector<Whereabouts> ranks(static_cast<std::size_t>(ranks_));
    check(PMPI_Allgather(&own, sizeof own, MPI_BYTE, ranks.data(), sizeof own, MPI_BYTE,
                         communicator_));
    return ranks;
}

void LazyPlacement::note_own_node(std::span<const Whereabouts> ranks) const {
    std::vector<Whereabouts> here;
    std::ranges::copy_if(ranks, std::back_inserter(here), [&](const Whereabouts& other) {
        return other.node == ranks[static_cast<std::size_t>(rank_)].node;
    });
    note_node_load(static_cast<std::int32_t>(here.size()), cores_together(here),
                   ranks_ == process().world_size);
}

}  // namespace tasuki::interpose
