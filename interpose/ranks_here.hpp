#pragma once

#include <cstdint>

namespace tasuki::interpose {

/// How many ranks of the job the launcher has put on this node; 0 if it does not say. What
/// TASUKI_PLACEMENT says is another thing: it moves no rank to other cores.
std::int32_t ranks_here();

}  // namespace tasuki::interpose
