// Who takes part in a phase of an algorithm.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "algorithms/partners.hpp"
#include "schedule/placement.hpp"

namespace tasuki {

/// Some ranks in an order; the one that builds its program is a member.
class Group {
  public:
    /// All ranks, cyclically from `first` on.
    static Group all(std::int32_t rank, std::int32_t ranks, std::int32_t first = 0) {
        return {ranks, shifted(rank, first, ranks).source,
                [=](std::int32_t member) { return shifted(first, member, ranks).destination; }};
    }
    /// The ranks of the node that `rank` runs on, in ascending order.
    static Group on_node(std::int32_t rank, const Placement& placement) {
        const std::int32_t node = placement.node_of(rank);
        return {
            placement.ranks_on(node), placement.local_of(rank),
            [&placement, node](std::int32_t member) { return placement.rank_at(node, member); }};
    }
    /// Rank number `local` of every node, in the order of nodes; `rank` is one of them.
    static Group across_nodes(std::int32_t rank, std::int32_t local, const Placement& placement) {
        return {
            placement.nodes(), placement.node_of(rank),
            [&placement, local](std::int32_t member) { return placement.rank_at(member, local); }};
    }

    std::int32_t size() const { return size_; }
    /// Which member the own rank is.
    std::int32_t index() const { return index_; }
    std::int32_t rank_of(std::int32_t member) const { return rank_of_(member); }

  private:
    Group(std::int32_t size, std::int32_t index,
          std::function<std::int32_t(std::int32_t member)> rank_of)
        : size_(size), index_(index), rank_of_(std::move(rank_of)) {}

    std::int32_t size_;
    std::int32_t index_;
    std::function<std::int32_t(std::int32_t member)> rank_of_;
};

}  // namespace tasuki
