// Reductions in one round, for short vectors on few ranks.
#pragma once

#include <cstdint>

#include "schedule/program.hpp"

namespace tasuki {

/// Rank r's result is the canonical tree (tree.hpp) over the vectors of ranks 0 .. summands(r) - 1,
/// where `summands` grows with r. It gets them straight from their owners and sums them up itself.
/// A vector is one chunk; a rank without summands has no output.
Program one_shot(std::int32_t rank, std::int32_t ranks,
                 std::int32_t (*summands)(std::int32_t rank, std::int32_t ranks));

}  // namespace tasuki
