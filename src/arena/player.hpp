// A selector in its world.
#pragma once

#include <cstdint>
#include <vector>

#include "arena/arena.hpp"
#include "arena/world.hpp"
#include "select/selector.hpp"

namespace tasuki {

class Player {
  public:
    /// What two looks at the clock cost a call that is timed.
    static constexpr double timing_seconds = 60e-9;
    /// A candidate this near the best is as good as the best.
    static constexpr double near = 1.03;

    /// `known`: what an earlier run has learnt, or nullptr.
    Player(World world, const ArenaSettings& settings, const Decision* known = nullptr)
        : world_(std::move(world)), selector_(candidates(settings), settings.selection, known) {}

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
    void calls(std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i) call();
    }

    bool uses_the_best() const {
        return selector_.phase() == Phase::running &&
               world_.true_seconds(selector_.current()) <= near * world_.best_seconds();
    }

    World& world() { return world_; }
    const World& world() const { return world_; }
    const Selector& selector() const { return selector_; }
    /// Seconds of all calls, with what timing and agreements took.
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

}  // namespace tasuki
