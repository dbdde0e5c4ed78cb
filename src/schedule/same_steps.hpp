#pragma once

#include "schedule/program.hpp"

namespace tasuki {

/// Whether two programs of a rank have the same steps, each after the same others, in whatever
/// order they are written. What they reserve of scratch and do not use makes no difference.
///
/// Cost: steps, where they are written in the same order; at most steps times steps.
bool have_same_steps(const Program& a, const Program& b);

}  // namespace tasuki
