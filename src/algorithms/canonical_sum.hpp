// The canonical tree (tree.hpp) over operands that one rank has gathered.
#pragma once

#include "algorithms/partial.hpp"

namespace tasuki {

/// Sums `parts`, one for each operand in their order, in the places where they are; of these the
/// input is only read. The sum ends in the place of the first that is not the input. Two parts at
/// least, or one.
Partial sum_canonically(ProgramBuilder& program, std::vector<Partial> parts);

}  // namespace tasuki
