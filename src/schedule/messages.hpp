// Which send meets which recv.
#pragma once

#include <limits>
#include <vector>

#include "schedule/schedule.hpp"

namespace tasuki {

inline constexpr StepId no_step = std::numeric_limits<StepId>::max();

/// Finds for every send the recv that it meets, and the other way round, by pair of ranks and
/// message number: [rank][step] is the step of the peer's program, or no_step for steps that are no
/// messages and for messages that nothing meets. Never fails; a peer that does not exist is met by
/// nothing.
///
/// Cost: O(messages log messages), 4 bytes a step kept.
std::vector<std::vector<StepId>> match_messages(const Schedule& schedule);

}  // namespace tasuki
