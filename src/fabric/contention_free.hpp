// An all-to-all in stages of which none has a hot spot.
#pragma once

#include "fabric/leaf_demand.hpp"
#include "fabric/stage_table.hpp"

namespace tasuki {

/// The shortest one of a two-level tree in which every node has a downlink of its own:
/// demand.least_stages() stages. docs/design/fabric.md has the proof.
///
/// First it is decided from which leaf everybody receives in each stage (leaf_stages.hpp), then
/// which node under the leaf sends: stages and receivers are the two sides of a bipartite graph, an
/// edge is a message, a colour the node that sends it.
StageTable contention_free(const LeafDemand& demand);

}  // namespace tasuki
