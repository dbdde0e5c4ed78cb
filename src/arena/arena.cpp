#include "arena/arena.hpp"

#include <algorithm>
#include <cmath>

#include "select/selector.hpp"

namespace tasuki {

namespace {

/// What two looks at the clock cost a call that is timed.
constexpr double timing_seconds = 60e-9;
/// A candidate this near the best is as good as the best.
constexpr double near = 1.03;

/// A selector in its world.
class Player {
  public:
    Player(World world, const ArenaSettings& settings)
        : world_(std::move(world)), selector_(candidates(settings), settings.selection) {}

    void call() {
        const CallPlan plan = selector_.next();
        spent_ += world_.true_seconds(plan.candidate);
        if (plan.timed) {
            selector_.sample(world_.measure(plan.candidate));
            spent_ += timing_seconds;
        }
        if (plan.agree) {
            const double seconds = world_.agreement_seconds(selector_.values().size());
            selector_.agreed();
            selector_.agreement_took(seconds);
            spent_ += seconds;
        }
    }

    bool uses_the_best() const {
        return selector_.phase() == Phase::running &&
               world_.true_seconds(selector_.current()) <= near * world_.best_seconds();
    }

    World& world() { return world_; }
    const Selector& selector() const { return selector_; }
    double spent() const { return spent_; }

  private:
    std::vector<Candidate> candidates(const ArenaSettings& settings) const {
        std::vector<Candidate> list = world_.candidates();
        if (!settings.with_model) {
            for (Candidate& candidate : list) candidate.predicted = unknown;
        }
        return list;
    }

    World world_;
    Selector selector_;
    double spent_ = 0;
};

std::vector<std::int64_t> default_sizes() {
    std::vector<std::int64_t> sizes;
    for (std::int64_t octave = 64; octave <= 1 << 20; octave *= 2) {
        sizes.push_back(octave);
        if (octave < 1 << 20) sizes.push_back(octave + octave / 2);
    }
    return sizes;
}

std::string name_of_best(const World& world) {
    std::uint32_t best = 0;
    for (std::uint32_t i = 1; i < world.candidates().size(); ++i) {
        if (world.true_seconds(i) < world.true_seconds(best)) best = i;
    }
    return world.candidates()[best].name;
}

ArenaRow play(Player& player, std::int64_t bytes, std::int32_t number,
              const ArenaSettings& settings) {
    ArenaRow row;
    row.bytes = bytes;
    row.world = number;
    const World& world = player.world();
    for (std::uint32_t call = 0; call < settings.calls; ++call) player.call();
    const Decision decision = player.selector().decision();
    row.best = name_of_best(world);
    row.chosen = decision.winner;
    row.chosen_over_best = world.true_seconds(player.selector().current()) / world.best_seconds();
    row.regret = player.spent() / (settings.calls * world.best_seconds()) - 1;
    row.over_native = player.spent() / (settings.calls * world.true_seconds(0));
    row.settled_at = static_cast<std::uint32_t>(decision.switched_at);
    row.measured_candidates = static_cast<std::uint32_t>(
        std::ranges::count_if(decision.candidates, [](const auto& c) { return c.samples > 0; }));
    return row;
}

/// Slows the winner down, in every other world the second best too, so that a third must come up;
/// counts the calls until the new best is in use.
std::uint32_t recovery(Player& player, std::int32_t number, const ArenaSettings& settings) {
    World& world = player.world();
    for (std::uint32_t call = settings.calls; call < settings.drift_at; ++call) player.call();
    const std::uint32_t winner = player.selector().current();
    world.slow_down(winner, settings.drift_factor);
    if (number % 2 == 1) {
        std::uint32_t second = winner == 0 ? 1 : 0;
        for (std::uint32_t i = 0; i < world.candidates().size(); ++i) {
            if (i != winner && world.true_seconds(i) < world.true_seconds(second)) second = i;
        }
        world.slow_down(second, settings.drift_factor);
    }
    constexpr std::uint32_t patience = 20000;
    std::uint32_t calls = 0;
    while (calls < patience && !player.uses_the_best()) {
        player.call();
        ++calls;
    }
    return calls;
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
    for (std::int32_t number = 0; number < settings.worlds; ++number) {
        for (const std::int64_t bytes : sizes) {
            Player player(world(bytes, number), settings);
            ArenaRow row = play(player, bytes, number, settings);

            Player alike = player;
            const std::uint32_t before = alike.selector().decision().relearnings;
            alike.world().slow_down(settings.drift_factor);
            for (std::uint32_t call = 0; call < 2000; ++call) alike.call();
            summary.common_relearnings += alike.selector().decision().relearnings - before;

            row.drift_recovery_calls = recovery(player, number, settings);
            good += row.chosen_over_best <= near ? 1 : 0;
            summary.regret += row.regret;
            summary.regret_max = std::max(summary.regret_max, row.regret);
            summary.over_native_max = std::max(summary.over_native_max, row.over_native);
            log_over_native += std::log(row.over_native);
            summary.drift_recovery_calls =
                std::max(summary.drift_recovery_calls, row.drift_recovery_calls);
            summary.rows.push_back(std::move(row));
        }
    }
    const auto keys = static_cast<double>(summary.rows.size());
    summary.best_chosen_fraction = static_cast<double>(good) / keys;
    summary.regret /= keys;
    summary.over_native_geomean = std::exp(log_over_native / keys);
    for (std::int32_t run = 0; run < settings.noise_keys; ++run) {
        const std::size_t size = static_cast<std::size_t>(run) * (sizes.size() - 1) /
                                 static_cast<std::size_t>(std::max(1, settings.noise_keys - 1));
        Player player(world(sizes[size], settings.worlds + run), settings);
        for (std::uint32_t call = 0; call < settings.noise_calls; ++call) player.call();
        summary.false_relearnings += player.selector().decision().relearnings;
    }
    return summary;
}

}  // namespace tasuki
