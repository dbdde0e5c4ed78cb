// What learning may cost: so many calls, and a share of the time spent in the collective.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "select/selector.hpp"

namespace tasuki {

namespace {

/// Without a prediction, how much slower than the best a candidate is taken to be.
constexpr double guess = 1.5;
/// The longest wait for the budget without an agreement; longer where agreements would take more
/// than a tenth of the budget.
constexpr std::uint32_t longest_wait = 512;
constexpr double share_of_waits = 0.1;
constexpr double wait_limit = 1 << 16;

}  // namespace

/// What is reckoned for each of the calls that the budget's floor is counted in: the host's own.
/// Where ranks share cores no more than so many times the best, or than an agreement: first calls
/// of the host may take a hundred times what others do there, and a floor of as many would be most
/// of what a short run spends.
double Selector::floor_call() const {
    const double host = states_[0].seconds;
    if (!shares_cores()) return host;
    return std::fmin(host,
                     std::fmax(host_hopeless_factor * least_known_seconds(), agreement_cost_));
}

/// Of this run.
double Selector::left_of_budget() const {
    return settings_.budget_floor_calls * floor_call() + settings_.budget * total_seconds_ -
           learning_seconds_;
}

/// Starts the slots when the budget can pay for them; until then the best known runs.
void Selector::start_within_budget(Purpose purpose, std::vector<Slot> slots) {
    const std::uint32_t best = best_known();
    const double seconds = states_[best].seconds;
    double cost = agreement_cost_;
    for (const Slot& slot : slots) {
        cost += set_up_to_pay(slot.candidate);
        const double expected = expected_seconds(slot.candidate);
        cost += slot.calls *
                std::max(0.0, (std::isnan(expected) ? guess * seconds : expected) - seconds);
    }
    const double missing = cost - left_of_budget();
    if (missing > 0 && was_kept_) return run_what_was_kept();
    if (missing > 0) {
        // The wait may be long: a run that ends before has chosen, too, unless it is the host's
        // own, of which a later run would learn nothing.
        use_best_known();
        has_chosen_ = has_chosen_ || winner_ != 0;
        const double gained = settings_.budget * seconds;  // with each call
        const double wait = std::ceil(missing / gained);
        const double longest = std::clamp(agreement_cost_ / (share_of_waits * gained),
                                          double(longest_wait), wait_limit);
        if (wait > longest) {
            start(Purpose::wait, {{best, static_cast<std::uint32_t>(longest), 0, 0}});
            return;
        }
        slots.insert(slots.begin(), {best, static_cast<std::uint32_t>(wait), 0, 0});
    }
    start(purpose, std::move(slots));
}

}  // namespace tasuki
