// How findings name what they are about.
#pragma once

#include <string>

#include "schedule/schedule.hpp"

namespace tasuki {

/// "rank 1 step 2 (send to 5 message 0 input[0:8])".
std::string describe(const Schedule& schedule, std::int32_t rank, StepId step);

/// "output chunk 3".
std::string describe(Space space, std::int64_t chunk);

}  // namespace tasuki
