#include "arena/policies.hpp"

#include <algorithm>

#include "arena/drift.hpp"

namespace tasuki {

namespace {

double learnt(Player player, std::int32_t number, const ArenaSettings& settings) {
    const std::uint32_t before = std::min(settings.calls, settings.drift_at);
    player.calls(before);
    if (before < settings.calls) {
        drift(player.world(), player.world().best(), number, settings);
        player.calls(settings.calls - before);
    }
    return player.spent();
}

}  // namespace

PolicySeconds play_policies(const World& world, const Player& cold, std::int32_t number,
                            const ArenaSettings& settings) {
    const std::uint32_t before = std::min(settings.calls, settings.drift_at);
    World drifted = world;
    drift(drifted, world.best(), number, settings);
    PolicySeconds seconds;
    for (std::uint32_t i = 0; i < world.candidates().size(); ++i) {
        seconds.fixed.push_back(
            {world.candidates()[i].name,
             before * world.true_seconds(i) + (settings.calls - before) * drifted.true_seconds(i)});
    }
    ArenaSettings with = settings;
    with.with_model = true;
    seconds.dynamic = learnt({world, with}, number, with);
    ArenaSettings without = settings;
    without.with_model = false;
    without.selection.grouping = Grouping::everything;
    seconds.without_model = learnt({world, without}, number, without);
    // Its world goes on where that of the cold run was, so that the noise is other noise.
    const Decision known = cold.selector().decision();
    seconds.warm = learnt({cold.world(), with, &known}, number, with);
    return seconds;
}

}  // namespace tasuki
