// Reductions and broadcasts over a tree.
#pragma once

#include <span>

#include "algorithms/group.hpp"
#include "algorithms/partial.hpp"
#include "algorithms/tree.hpp"

namespace tasuki {

/// Receives what the children send and reduces it with `own`, which is chunks of the input, in
/// `into`. At most `rooms` children have a place in scratch at a time. The result is `own` where
/// there are no children.
Partial reduce_from_children(ProgramBuilder& program, const Group& group,
                             std::span<const Child> children, const Partial& own,
                             const Region& into, std::int32_t rooms);

/// A reduction over a tree. At the root it returns the result, which stands in `into` if it has
/// members below. The others send theirs on, use `into` on the way, and return when it is free.
Partial reduce_over(ProgramBuilder& program, const Group& group, const TreePlace& place,
                    const Partial& own, const Region& into, std::int32_t rooms);

/// A broadcast over a tree, the largest subtree first. `held` is what the root sends, and where the
/// others receive, after `held.after`. What it returns is there afterwards.
Partial bcast_over(ProgramBuilder& program, const Group& group, const TreePlace& place,
                   const Partial& held);

}  // namespace tasuki
