// Colours of the edges of a bipartite graph.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tasuki {

/// An edge of a bipartite multigraph.
struct Edge {
    std::int32_t left;
    std::int32_t right;
};

/// The colour of each edge, such that no two edges at a vertex have the same (Koenig). `colours`
/// must be at least the largest degree.
///
/// Edges are coloured one by one. Where no colour is free at both ends, the path of two alternating
/// colours that begins at the right end is flipped; in a bipartite graph it cannot come back to the
/// left end. Cost: O(edges x vertices) at worst, near O(edges) in practice.
std::vector<std::int32_t> colour_edges(std::span<const Edge> edges, std::int32_t left_count,
                                       std::int32_t right_count, std::int32_t colours);

}  // namespace tasuki
