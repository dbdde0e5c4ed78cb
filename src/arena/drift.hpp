// What changes in a world when it drifts.
#pragma once

#include <cstdint>

#include "arena/arena.hpp"
#include "arena/world.hpp"

namespace tasuki {

/// Lets world `number` drift as the settings say, `used` being in use.
void drift(World& world, std::uint32_t used, std::int32_t number, const ArenaSettings& settings);

}  // namespace tasuki
