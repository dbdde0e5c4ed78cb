// The same calls by each policy: one candidate for all of them, or learnt.
#pragma once

#include <cstdint>

#include "arena/arena.hpp"
#include "arena/player.hpp"

namespace tasuki {

/// `world` before its first call; `cold` has learnt in it, and its decision is what the warm run
/// begins with. Drift within the calls strikes the truly best candidate at the same call of each.
PolicySeconds play_policies(const World& world, const Player& cold, std::int32_t number,
                            const ArenaSettings& settings);

}  // namespace tasuki
