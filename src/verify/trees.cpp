#include "verify/trees.hpp"

#include <algorithm>
#include <bit>

namespace tasuki {

Trees::Tree Trees::leaf(std::int32_t rank) {
    return add({-1, rank}, {rank, rank, true});
}

Trees::Tree Trees::combined(Tree left, Tree right) {
    const Node& before = nodes_[left];
    const Node& after = nodes_[right];
    return add({left, right},
               {std::min(before.lowest, after.lowest), std::max(before.highest, after.highest),
                before.keeps_order && after.keeps_order && before.highest < after.lowest});
}

Trees::Tree Trees::canonical(std::int32_t first, std::int32_t ranks) {
    if (ranks == 1) return leaf(first);
    const auto left =
        static_cast<std::int32_t>(std::bit_floor(static_cast<std::uint32_t>(ranks - 1)));
    const Tree before = canonical(first, left);
    return combined(before, canonical(first + left, ranks - left));
}

Trees::Tree Trees::of(const SymbolicRun& run, std::int32_t rank, std::int32_t chunk) {
    const Expressions& expressions = run.expressions();
    const auto tree_of = [&](const auto& self, Value value) -> Tree {
        if (expressions.is_leaf(value)) return leaf(expressions.origin_of(value).rank);
        const Tree left = self(self, expressions.left_of(value));
        return combined(left, self(self, expressions.right_of(value)));
    };
    return tree_of(tree_of, run.output(rank, chunk));
}

Trees::Tree Trees::add(std::pair<Tree, Tree> parts, const Node& node) {
    const auto [place, is_new] = known_.try_emplace(parts, static_cast<Tree>(nodes_.size()));
    if (is_new) nodes_.push_back(node);
    return place->second;
}

}  // namespace tasuki
