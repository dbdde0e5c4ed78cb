// The trees of reductions, comparable between runs.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "verify/symbolic_run.hpp"

namespace tasuki {

/// Trees over ranks, whatever chunk they are evaluated for. Equal numbers are equal trees.
class Trees {
  public:
    using Tree = std::int32_t;

    Tree leaf(std::int32_t rank);
    Tree combined(Tree left, Tree right);
    /// Over the first `ranks` ranks, cut at the largest power of two below their number, and so on.
    Tree canonical(std::int32_t ranks) { return canonical(0, ranks); }
    /// What a run evaluated for an output chunk.
    Tree of(const SymbolicRun& run, std::int32_t rank, std::int32_t chunk);

    /// Whether every rank of the tree stands to the right of those with lower numbers.
    bool keeps_order(Tree tree) const { return nodes_[tree].keeps_order; }

  private:
    struct Node {
        std::int32_t lowest;
        std::int32_t highest;
        bool keeps_order;
    };

    Tree canonical(std::int32_t first, std::int32_t ranks);
    Tree add(std::pair<Tree, Tree> parts, const Node& node);

    std::map<std::pair<Tree, Tree>, Tree> known_;  // a leaf is (-1, rank)
    std::vector<Node> nodes_;                      // [tree]
};

}  // namespace tasuki
