#include "arena/drift.hpp"

#include <algorithm>
#include <vector>

namespace tasuki {

namespace {

/// All but `used`, the fastest first.
std::vector<std::uint32_t> others_of(const World& world, std::uint32_t used) {
    std::vector<std::uint32_t> others;
    for (std::uint32_t i = 0; i < world.candidates().size(); ++i) {
        if (i != used) others.push_back(i);
    }
    std::ranges::stable_sort(others, {}, [&](std::uint32_t i) { return world.true_seconds(i); });
    return others;
}

}  // namespace

void drift(World& world, std::uint32_t used, std::int32_t number, const ArenaSettings& settings) {
    const std::vector<std::uint32_t> others = others_of(world, used);
    const bool is_odd = number % 2 == 1;
    if (settings.drift == WorldDrift::winner_slower) {
        world.slow_down(used, settings.drift_factor);
        if (is_odd) world.slow_down(others.front(), settings.drift_factor);
    } else {
        const std::uint32_t other = others[is_odd ? others.size() / 2 : 0];
        const double seconds = world.true_seconds(used) / settings.drift_factor;
        world.slow_down(other, seconds / world.true_seconds(other));
    }
}

}  // namespace tasuki
