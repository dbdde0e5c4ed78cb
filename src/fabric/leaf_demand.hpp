// What an all-to-all asks of a two-level tree.
#pragma once

#include <cstdint>
#include <vector>

namespace tasuki {

/// The nodes of a job under leaves, numbered from 0 within the job. A message from leaf L to node d
/// takes an uplink that depends on L and d only; each node has a downlink of its own.
struct LeafDemand {
    std::int32_t leaves = 0;
    std::vector<std::int32_t> leaf;  ///< [node]
    /// [leaf, node] -> number of the uplink, counted over all leaves; -1 for nodes of the leaf
    std::vector<std::int32_t> uplink;

    std::int32_t nodes() const { return static_cast<std::int32_t>(leaf.size()); }
    std::int32_t uplink_of(std::int32_t from_leaf, std::int32_t to_node) const {
        return uplink[static_cast<std::size_t>(from_leaf) * leaf.size() + to_node];
    }
    /// [leaf] -> its nodes
    std::vector<std::int32_t> occupancy() const;
    /// How many numbers uplinks have.
    std::int32_t uplinks() const;
    /// No schedule without hot spots has fewer: every node receives from all others, and an uplink
    /// carries one message a stage. As many suffice.
    std::int32_t least_stages() const;
};

}  // namespace tasuki
