// Rounding a fixed-point number to a floating-point one, once.
#pragma once

#include "reduce/superaccumulator.hpp"

namespace tasuki::reduction {

/// The nearest double, of two equally near ones that with an even last digit; infinite from half a
/// unit beyond the largest on. A value that is not zero keeps its sign when it becomes zero.
double round_to_double(const Superaccumulator::Settled& value);
/// The same for float: rounded once, from the exact value.
float round_to_float(const Superaccumulator::Settled& value);

}  // namespace tasuki::reduction
