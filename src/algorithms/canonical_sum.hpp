// The canonical tree (tree.hpp) over operands that one rank has gathered.
#pragma once

#include "algorithms/partial.hpp"

namespace tasuki {

/// The operands of ranks 0 .. count - 1, each a chunk of the size `chunk`: the own one is that
/// chunk of the input, the others are received straight from their ranks, the first of them in
/// `into`.
std::vector<Partial> receive_operands(ProgramBuilder& program, std::int32_t rank,
                                      std::int32_t ranks, std::int32_t count, std::int32_t chunk,
                                      const Region& into);

/// Sums what receive_operands() gave, at least one, where it lies; the input is only read. The sum
/// ends in `into`.
Partial sum_canonically(ProgramBuilder& program, std::vector<Partial> parts, const Region& into);

}  // namespace tasuki
