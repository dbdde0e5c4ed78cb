// The ring of all-reduce.
#pragma once

#include "schedule/program.hpp"

namespace tasuki {

/// Every rank has a block of the vector, cut into `segments` chunks. Each segment travels once
/// around the ring to be summed and once more to be known to all. Nothing is copied, there is no
/// scratch.
Program ring_allreduce(std::int32_t rank, std::int32_t ranks, std::int32_t segments);

}  // namespace tasuki
