// All-reduce of a whole vector by recursive doubling.
#pragma once

#include "algorithms/group.hpp"
#include "algorithms/partial.hpp"

namespace tasuki {

/// `own` is not in `into`, and is read only. Chunks have the sizes of their numbers in `into`.
/// Members beyond a power of two are folded in pairs. The order of members is kept.
Partial allreduce_by_doubling(ProgramBuilder& program, const Group& group, const Partial& own,
                              const Region& into);

/// The same with the canonical tree (tree.hpp) for any number of members. Those beyond a power of
/// two hand their part to the member that stands so much lower, which keeps it apart: the exchanges
/// carry the sum of the lower members and that of the upper ones, as far as it is known, and only
/// the last step reduces the two.
Partial allreduce_canonically(ProgramBuilder& program, const Group& group, const Partial& own,
                              const Region& into);

}  // namespace tasuki
