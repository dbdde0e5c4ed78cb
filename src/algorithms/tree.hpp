// Trees over the members of a group, as one of them sees them.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/program.hpp"

namespace tasuki {

/// A child in a tree, and on which side of the own members those below it stand.
struct Child {
    std::int32_t member;
    Operand side = Operand::right;
    std::int32_t below = 1;  ///< members of its subtree, itself included; 0 where nobody asks
};

/// Where a member stands. Children are in the order in which a reduction is done with them, the
/// smallest subtree first.
struct TreePlace {
    std::int32_t parent = -1;  ///< none: the root
    std::vector<Child> children = {};
};

/// In base `radix` the parent of a member lacks its lowest digit that is not 0. Member 0 is the
/// root, a subtree is a run of members, base 2 is the binomial tree.
TreePlace knomial_place(std::int32_t member, std::int32_t members, std::int64_t radix);

/// How many members the subtree of `member` has in that tree.
std::int32_t knomial_below(std::int32_t member, std::int32_t members, std::int64_t radix);

/// One behind the other; member 0 is the root.
TreePlace chain_place(std::int32_t member, std::int32_t members);

/// The canonical tree: members are cut at the largest power of two below their number, and so are
/// both sides. What it evaluates is the same for every root, because a subtree is kept by the root
/// where it is in there, and by its first member otherwise.
TreePlace canonical_place(std::int32_t member, std::int32_t members, std::int32_t root);

}  // namespace tasuki
