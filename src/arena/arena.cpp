#include "arena/arena.hpp"

#include <algorithm>
#include <cmath>

#include "arena/drift.hpp"
#include "arena/player.hpp"
#include "arena/policies.hpp"
#include "select/statistics.hpp"

namespace tasuki {

namespace {

std::vector<std::int64_t> default_sizes() {
    std::vector<std::int64_t> sizes;
    for (std::int64_t octave = 64; octave <= 1 << 20; octave *= 2) {
        sizes.push_back(octave);
        if (octave < 1 << 20) sizes.push_back(octave + octave / 2);
    }
    return sizes;
}

ArenaRow row_of(const Player& player, std::int64_t bytes, std::int32_t number,
                const ArenaSettings& settings) {
    ArenaRow row;
    row.bytes = bytes;
    row.world = number;
    const World& world = player.world();
    const Decision decision = player.selector().decision();
    row.best = world.candidates()[world.best()].name;
    row.chosen = decision.winner;
    row.chosen_over_best = world.true_seconds(player.selector().current()) / world.best_seconds();
    row.regret = player.spent() / (settings.calls * world.best_seconds()) - 1;
    row.over_native = player.spent() / (settings.calls * world.true_seconds(0));
    row.settled_at = static_cast<std::uint32_t>(decision.switched_at);
    row.measured_candidates = static_cast<std::uint32_t>(
        std::ranges::count_if(decision.candidates, [](const auto& c) { return c.samples > 0; }));
    return row;
}

/// Calls from a drift until the new best is in use.
std::uint32_t recovery(Player player, std::int32_t number, const ArenaSettings& settings) {
    drift(player.world(), player.selector().current(), number, settings);
    // That another has become faster is found by trying each now and then.
    const std::uint32_t patience = settings.drift == WorldDrift::winner_slower ? 20000 : 200000;
    std::uint32_t calls = 0;
    while (calls < patience && !player.uses_the_best()) {
        player.call();
        ++calls;
    }
    return calls;
}

std::uint32_t relearnings_when_all_drift_alike(Player player, const ArenaSettings& settings) {
    const std::uint32_t before = player.selector().decision().relearnings;
    player.world().slow_down(settings.drift_factor);
    player.calls(2000);
    return player.selector().decision().relearnings - before;
}

}  // namespace

ArenaSummary run_arena(const DescribedMachine& machine, const ArenaSettings& settings) {
    const Instance instance{machine.placement.ranks(), 0, {}, machine.placement};
    const CandidateSet set("alltoall", instance);
    const std::vector<std::int64_t> sizes =
        settings.sizes.empty() ? default_sizes() : settings.sizes;
    ArenaSummary summary;
    summary.machine = machine.name;
    summary.ranks = instance.ranks;
    const auto world = [&](std::int64_t bytes, std::int32_t number) {
        return World(machine, set, bytes, settings.noise,
                     settings.seed * 1000003 + static_cast<std::uint64_t>(number));
    };
    std::size_t good = 0;
    double log_over_native = 0;
    std::vector<double> recoveries;
    for (std::int32_t number = 0; number < settings.worlds; ++number) {
        for (const std::int64_t bytes : sizes) {
            Player player(world(bytes, number), settings);
            const std::uint32_t common_calls = std::min(settings.calls, settings.drift_at);
            player.calls(common_calls);
            Player drifting = player;
            drifting.calls(settings.drift_at - common_calls);
            player.calls(settings.calls - common_calls);

            ArenaRow row = row_of(player, bytes, number, settings);
            row.drift_recovery_calls = recovery(drifting, number, settings);
            summary.common_relearnings += relearnings_when_all_drift_alike(drifting, settings);
            if (settings.policies) {
                row.policies = play_policies(world(bytes, number), player, number, settings);
            }
            good += row.chosen_over_best <= Player::near ? 1 : 0;
            summary.regret += row.regret;
            summary.regret_max = std::max(summary.regret_max, row.regret);
            summary.over_native_max = std::max(summary.over_native_max, row.over_native);
            log_over_native += std::log(row.over_native);
            summary.drift_recovery_calls =
                std::max(summary.drift_recovery_calls, row.drift_recovery_calls);
            recoveries.push_back(row.drift_recovery_calls);
            summary.rows.push_back(std::move(row));
        }
    }
    const auto keys = static_cast<double>(summary.rows.size());
    summary.best_chosen_fraction = static_cast<double>(good) / keys;
    summary.regret /= keys;
    summary.drift_recovery_median = median(recoveries);
    summary.over_native_geomean = std::exp(log_over_native / keys);
    for (std::int32_t run = 0; run < settings.noise_keys; ++run) {
        const std::size_t size = static_cast<std::size_t>(run) * (sizes.size() - 1) /
                                 static_cast<std::size_t>(std::max(1, settings.noise_keys - 1));
        Player player(world(sizes[size], settings.worlds + run), settings);
        player.calls(settings.noise_calls);
        summary.false_relearnings += player.selector().decision().relearnings;
    }
    return summary;
}

}  // namespace tasuki
