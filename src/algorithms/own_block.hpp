// Reductions in which every rank sums up a block itself.
#pragma once

#include "algorithms/partial.hpp"

namespace tasuki {

/// Every rank has a block of the vector, one chunk, to which all others send their part directly.
/// It reduces them by the canonical tree (tree.hpp) as they come; the sum of the own block ends in
/// `into`.
Partial reduce_own_block(ProgramBuilder& program, std::int32_t rank, std::int32_t ranks,
                         const Region& into);

}  // namespace tasuki
