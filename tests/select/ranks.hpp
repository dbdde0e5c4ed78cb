// Ranks that select together, without MPI and in virtual time.
#pragma once

#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <span>
#include <vector>

#include "select/selector.hpp"

namespace tasuki::test {

/// Ranks with a selector each, whose timings differ.
class Ranks {
  public:
    Ranks(int count, const std::vector<Candidate>& candidates,
          const SelectionSettings& settings = {}, const Decision* known = nullptr) {
        for (int rank = 0; rank < count; ++rank) {
            selectors.emplace_back(candidates, settings, known);
        }
    }

    /// One call; returns the candidate that ran. Fails if the ranks plan different things.
    std::uint32_t call() {
        const CallPlan plan = selectors[0].next();
        const bool is_second = !seconds_of_second.empty() && calls_ % 2 == 1;
        in_a_row_ = plan.candidate == last_ ? in_a_row_ + 1 : 1;
        last_ = plan.candidate;
        const bool may_tire = all_tire || plan.candidate == tires;
        const bool is_late = may_tire && in_a_row_ > tires_after &&
                             calls_ % static_cast<std::uint64_t>(tired_once_in) == 0;
        const double took = (is_second ? seconds_of_second : seconds)[plan.candidate] *
                            (in_a_row_ <= cold_calls ? cold_factor : 1) *
                            (is_late ? 100 * tired_once_in : 1);
        ++calls_;
        spent += took;
        for (std::size_t rank = 1; rank < selectors.size(); ++rank) {
            const CallPlan other = selectors[rank].next();
            EXPECT_EQ(other.candidate, plan.candidate);
            EXPECT_EQ(other.timed, plan.timed);
            EXPECT_EQ(other.agree, plan.agree);
        }
        if (plan.timed && plan.candidate != refuses) {
            for (Selector& selector : selectors) {
                selector.sample(took * noise(random) + slow_rank());
            }
        }
        if (plan.agree) agree();
        return plan.candidate;
    }
    void calls(int count) {
        for (int i = 0; i < count; ++i) call();
    }

    std::vector<Selector> selectors;
    std::vector<double> seconds;
    std::vector<double> seconds_of_second;  ///< of each second call; empty: as all others
    std::uint32_t refuses = ~0U;            ///< a candidate that does not run
    int cold_calls = 0;                     ///< so many in a row of a candidate take
    double cold_factor = 1;                 ///< times as long as those that follow
    std::uint32_t tires = ~0U;              ///< a candidate that takes a hundred times as long
    bool all_tire = false;                  ///< all do
    int tires_after = 300;                  ///< after so many calls in a row,
    int tired_once_in = 1;                  ///< one of so many then for all of them
    double slow_rank_chance = 0;
    double agreement_seconds = 1e-6;  ///< of the first rank
    double early_rank_waits = 1.1;    ///< in an agreement, times the rank before
    double spent = 0;
    std::mt19937 random{42};
    std::lognormal_distribution<double> noise{0, 0.05};

  private:
    std::uint64_t calls_ = 0;
    std::uint32_t last_ = ~0U;
    int in_a_row_ = 0;

    double slow_rank() { return std::bernoulli_distribution(slow_rank_chance)(random) ? 10e-3 : 0; }

    void agree() {
        std::vector<double> shared(selectors[0].values().begin(), selectors[0].values().end());
        const std::size_t times = shared.size() - Selector::maxima;
        for (std::size_t rank = 1; rank < selectors.size(); ++rank) {
            const std::span<const double> others = selectors[rank].values();
            ASSERT_EQ(others.size(), shared.size());
            for (std::size_t i = 0; i < times; ++i) shared[i] += others[i];
            for (std::size_t i = times; i < shared.size(); ++i) {
                shared[i] = std::max(shared[i], others[i]);
            }
        }
        for (std::size_t i = 0; i < times; ++i) shared[i] /= static_cast<double>(selectors.size());
        double cost = agreement_seconds;
        for (Selector& selector : selectors) {
            std::ranges::copy(shared, selector.values().begin());
            selector.agreed();
            selector.agreement_took(cost);
            cost *= early_rank_waits;
        }
    }
};

/// Calls up to the next agreement, where they take `seconds`.
inline int calls_to_agreement(Selector& selector, const std::vector<double>& seconds,
                              double agreement_seconds = 1e-6) {
    for (int calls = 1;; ++calls) {
        const CallPlan plan = selector.next();
        if (plan.timed) selector.sample(seconds[plan.candidate]);
        if (!plan.agree) continue;
        selector.agreed();
        selector.agreement_took(agreement_seconds);
        return calls;
    }
}

inline const std::vector<Candidate> four = {
    {"native", unknown}, {"spread", 110e-6}, {"bruck", 80e-6}, {"ring", 100e-6}};

}  // namespace tasuki::test
