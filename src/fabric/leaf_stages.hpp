// From which leaf every node receives in every stage.
#pragma once

#include <cstdint>
#include <vector>

#include "fabric/leaf_demand.hpp"

namespace tasuki {

/// [stage, node] -> the leaf to receive from, or -1 (rest), such that no uplink carries two
/// messages in a stage. `stages` must be at least demand.least_stages(); throws
/// std::invalid_argument if it is not. docs/design/fabric.md has the proof.
///
/// Each stage is an integral flow: node d -> uplink (L, d) of capacity 1 -> leaf L of capacity n_L.
/// A share 1/S of everything in each of S stages is a feasible fractional flow, so an integral one
/// exists that takes its share of all that is full; what remains is the same problem with S - 1
/// stages. Stages are peeled off one by one. A node that has nothing yet walks: it takes the next
/// of its remaining messages, and if leaf or uplink are full, one of those that hold them walks on
/// in its place: the random walk that finds perfect matchings of regular bipartite graphs in
/// O(n log n) steps (Goel, Kapralov, Khanna 2010). The generator of random numbers is written out,
/// so that every machine builds equal stages.
///
/// Memory: 4 bytes for each pair of nodes, twice.
std::vector<std::int32_t> leaf_stages(const LeafDemand& demand, std::int32_t stages);

}  // namespace tasuki
