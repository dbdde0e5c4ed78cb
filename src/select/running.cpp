// The third phase: the winner runs, a few of its calls are timed, and now and then one of another.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "select/selector.hpp"
#include "select/statistics.hpp"

namespace tasuki {

namespace {

/// Calls from one that is timed to the next while the reference is taken, at least.
constexpr std::uint32_t reference_stride = 2;
/// A reference of more calls, or one that takes longer, is preceded by a trial of what its winner
/// takes in a row.
constexpr std::uint32_t longest_untried = 512;
constexpr double longest_untried_seconds = 20e-3;
/// Samples at the end of such a row ...
constexpr std::uint32_t trial_samples = 4;
/// ... where ranks share cores of as many calls as there are, but no more than this: a rank that
/// waits for another to have its turn waits for milliseconds, once in many calls.
constexpr std::uint32_t most_calls_of_trial_sample = 128;
/// Where ranks share cores the first row is as long as what needs none, and each one after it so
/// many times longer, until it pays for the agreement: a row whose length follows from what the
/// first calls took may be a hundred times too long there.
constexpr std::uint32_t trial_growth = 8;
/// A winner that takes so many times in a row what it took in turns with others is looked into.
constexpr double slow_in_trial = 2;
/// A candidate that was soon given up for what it took in a row is probed by rows, that get longer
/// by this factor each time.
constexpr double row_growth = 4;
constexpr std::uint32_t shortest_window = 2 * DriftTest::window_size;
constexpr std::uint32_t window_limit = 1 << 16;
/// Windows grow to the longest from this share of it.
constexpr std::uint32_t first_share = 4;
/// What a call costs more that is timed.
constexpr double timing_seconds = 150e-9;

/// A winner that is slower by this factor than when it was learnt, maybe in another run, is looked
/// into at once.
constexpr double disappointing = 1.2;
/// A probe must beat the winner by this factor to be looked into.
constexpr double promising = 0.9;
/// Of calls so short that a candidate seems to take several times as long until it is warm, the
/// near ones: a first look may be off by so much.
constexpr double near_when_cold = 3;
/// Standard errors by which another must be ahead for the winner to be doubted.
constexpr double proof_of_doubt = 2;
/// The same after learning again, which is shorter.
constexpr double proof_of_doubt_again = 1;

}  // namespace

void Selector::begin_running() {
    phase_ = Phase::running;
    has_chosen_ = true;
    was_kept_ = false;
    calibrate();
    probed_host_ = accepted_seconds_ = compared_seconds_ = unknown;
    drift_.forget_reference();
    window_ = shortest_window;
    tried_calls_ = 0;
    good_windows_ = 0;
    for (State& state : states_) state.samples = {};
    start_window();
}

/// What an earlier run has chosen is watched, whatever may be better: unless it is hopeless beside
/// another, a few samples of that are no reason to leave it. What was only looked at waits for the
/// next run.
void Selector::run_what_was_kept() {
    looks_.clear();
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
        State& state = states_[i];
        if (i != winner_ && state.contender && !state.samples.empty()) state.fate = Fate::slower;
    }
    const double hopeless = settings_.hopeless_factor * states_[best_known()].seconds;
    if (states_[winner_].seconds > hopeless) {
        states_[winner_].contender = false;
        use_best_known();
    }
    for (State& state : states_) state.contender = false;
    begin_running();
}

/// In how many calls so many samples and an agreement about them cost no more than their share.
std::uint32_t Selector::calls_that_pay_for(std::uint32_t samples) const {
    const double cost = agreement_cost_ + samples * timing_seconds;
    return calls_that_pay(cost, settings_.agreement_share);
}

std::uint32_t Selector::calls_that_pay(double seconds, double share) const {
    const double one = states_[winner_].seconds;
    const double by_time = std::min<double>(
        std::max<double>(shortest_window, std::ceil(settings_.long_window_seconds / one)),
        settings_.longest_window);
    const double calls = std::max(by_time, std::ceil(seconds / (share * one)));
    return static_cast<std::uint32_t>(std::min<double>(calls, window_limit));
}

std::uint32_t Selector::longest_window() const {
    return std::max(calls_that_pay_for(DriftTest::window_size),
                    calls_that_pay(agreement_cost_, settings_.share_of_windows));
}

void Selector::start_window() {
    const bool is_reference = !drift_.has_reference();
    const std::uint32_t samples = is_reference ? DriftTest::reference_size : DriftTest::window_size;
    // Where calls are short a reference at once would be learning's greatest cost, and a winner
    // that noise has chosen costs little.
    const std::uint32_t calls = is_reference ? calls_that_pay_for(samples) : window_;
    const std::uint32_t stride = std::max(is_reference ? reference_stride : 1, calls / samples);
    const Slot row = {winner_, stride * samples, 0, stride};
    const bool is_long = row.calls > longest_untried ||
                         row.calls * states_[winner_].seconds > longest_untried_seconds;
    if (is_reference && is_long && plan_trial()) {
        start(Purpose::trial, {row_of(winner_, tried_calls_)});
        return;
    }
    std::vector<Slot> slots = {row};
    if (!is_reference) {
        if (const std::uint32_t candidate = due_probe(); candidate != winner_) {
            slots.push_back(probe_of(candidate));
        }
    }
    start(Purpose::window, std::move(slots));
}

/// Calls of a row that are timed.
std::uint32_t Selector::timed_in_row() const {
    return trial_samples * (shares_cores() ? most_calls_of_trial_sample : 1);
}

/// Whether the winner is to be tried, or tried in a longer row: then `tried_calls_` is its length.
bool Selector::plan_trial() {
    const std::uint32_t longest = calls_that_pay_for(timed_in_row());
    if (!shares_cores()) return std::exchange(tried_calls_, longest) == 0;
    // What agreements take differs from one to the next: that is no reason for another row.
    if (tried_calls_ > longest / 2) return false;
    // Who was slow in a row before is not found out by short ones again and again.
    const double first = longest_untried * std::pow(trial_growth, states_[winner_].times_tired);
    const double next = tried_calls_ == 0 ? first : trial_growth * double(tried_calls_);
    tried_calls_ = static_cast<std::uint32_t>(std::min<double>(next, longest));
    return true;
}

/// So many calls, the last ones timed: ranks that run ahead of each other, or buffers that fill,
/// make some algorithms many times slower after hundreds of calls, and learning, by turns, does not
/// see it.
Slot Selector::row_of(std::uint32_t candidate, std::uint32_t calls) const {
    const std::uint32_t calls_of_a_sample =
        shares_cores() ? std::min(calls / trial_samples, most_calls_of_trial_sample) : 1;
    return {candidate, calls, calls - trial_samples * calls_of_a_sample, 1, calls_of_a_sample};
}

/// Before a reference that takes long, whether the winner keeps its promise in a row.
void Selector::after_trial() {
    const std::span<const double> row = samples_of(0);
    // Of many calls a sample without a rank that waited says as little as one with two.
    const double seconds = shares_cores() ? median(row) : std::ranges::min(row);
    if (seconds > slow_in_trial * states_[winner_].seconds) {
        begin_check(Purpose::doubt, controls(seconds), seconds);
    } else {
        start_window();
    }
}

/// The candidate to be tried beside this window; the winner if there is none.
std::uint32_t Selector::due_probe() {
    ++windows_since_probe_;
    // Given up after two calls, its first: these may have taken ten times what they take later, and
    // it is what others are to be better than.
    const bool is_host_unproven = states_[0].fate == Fate::hopeless &&
                                  states_[0].seconds < short_call && std::isnan(probed_host_);
    if (is_host_unproven && can_pay_for_probe(0)) return 0;
    if (windows_since_probe_ < settings_.probe_windows) return winner_;
    windows_since_probe_ = 0;
    slow_rows_ = 0;
    return next_probe();
}

/// Two samples. Of short calls those before are dropped, which meet code and data that are not in
/// the caches.
Slot Selector::probe_of(std::uint32_t candidate) const {
    if (const std::uint32_t times = states_[candidate].times_tired; times > 0) {
        const double calls = calls_that_pay_for(timed_in_row()) * std::pow(row_growth, times);
        return row_of(candidate, static_cast<std::uint32_t>(std::min<double>(calls, window_limit)));
    }
    return has_short_calls(candidate) ? timed_run(candidate, 2) : Slot{candidate, 2, 0, 1};
}

/// The next candidate to be tried that the budget can pay for; the winner if there is none.
std::uint32_t Selector::next_probe() {
    for (std::size_t tried = 0; tried < states_.size(); ++tried) {
        probe_ = (probe_ + 1) % static_cast<std::uint32_t>(states_.size());
        if (probe_ != winner_ && can_pay_for_probe(probe_)) return probe_;
    }
    return winner_;
}

/// A probe may cost a tenth of what is left, so that slow candidates are tried, but rarely.
bool Selector::can_pay_for_probe(std::uint32_t candidate) const {
    const double longer = expected_seconds(candidate) - states_[winner_].seconds;
    return probe_of(candidate).calls * longer < (left_of_budget() + left_by_earlier_runs_) / 10;
}

void Selector::after_window() {
    const std::span<const double> window = samples_of(0);
    if (purpose_ == Purpose::confirm) {
        const double seconds = middle_mean(window);
        const bool has_changed = drift_.confirmed(window, suspicion_);
        if (has_changed && is_worth_a_check(seconds)) {
            check_winner(seconds);
            return;
        }
        if (has_changed) drift_.forget_reference();
        start_window();
        return;
    }
    const bool is_probing = sequence_.slots().size() > 1;
    if (!drift_.has_reference()) {
        const double seconds = middle_mean(window);
        const bool is_first = std::isnan(accepted_seconds_);
        if (!is_first && is_worth_a_check(seconds)) {
            check_winner(seconds);
            return;
        }
        if (is_first && seconds > disappointing * states_[winner_].seconds) {
            begin_check(Purpose::doubt, controls(seconds), seconds);
            return;
        }
        drift_.set_reference(window);
        if (!std::isnan(today_)) take_by_winner(seconds);
        if (is_first) compared_seconds_ = seconds;
        if (!is_same(seconds / accepted_seconds_)) accepted_seconds_ = seconds;
        states_[winner_].seconds = seconds;
        states_[winner_].measurements = DriftTest::reference_size;
        reference_noise_ = robust_deviation(window) / seconds;
        if (compares_once_more()) {
            begin_learning({});
            return;
        }
        window_ = std::max(window_, longest_window() / first_share);
    } else if (const Suspicion suspicion = drift_.suspected(window);
               suspicion.drift != Drift::none) {
        suspicion_ = suspicion;
        start(Purpose::confirm, {{winner_, DriftTest::confirmation_size, 0, 1}});
        return;
    } else {
        window_ = std::min(2 * window_, longest_window());
        ++good_windows_;
        const double seconds = states_[winner_].seconds;
        if (!is_probing && is_check_due() && can_pay_for_check(seconds)) {
            check_winner(seconds);
            return;
        }
    }
    if (is_probing) {
        after_probe(1);
    } else {
        start_window();
    }
}

/// Whether a winner that takes `seconds` now is to be compared with others. What has become faster
/// is no worse than it was: whether it is still the best waits for the budget.
bool Selector::is_worth_a_check(double seconds) const {
    if (is_same(seconds / accepted_seconds_)) return false;
    return !(seconds < accepted_seconds_) || can_pay_for_check(seconds);
}

/// Compares a winner that takes `seconds` now.
void Selector::check_winner(double seconds) {
    drift_.forget_reference();
    const bool is_slower = seconds > accepted_seconds_;
    std::vector<std::uint32_t> others = controls(seconds);
    states_[winner_].seconds = compared_seconds_;  // as old as those of the others
    begin_check(Purpose::check, std::move(others), is_slower ? seconds : 0);
}

/// Once after each learning, whether some contend with the winner once more. Where calls are short,
/// all that are near it: they were learnt while code and data came to the caches, which takes
/// longer than learning.
bool Selector::compares_once_more() {
    if (std::exchange(reconfirmed_, true)) return false;
    if (!has_short_calls(winner_)) return doubts_the_winner();
    const double longest = near_when_cold * states_[winner_].seconds;
    for (State& state : states_) state.contender = state.seconds < longest;
    return contenders().size() > 1;
}

/// Whether, by its reference, the winner is not the best after all: noise has chosen it, or let it
/// appear slow now.
bool Selector::doubts_the_winner() {
    const auto error_of = [&](const State& state) {
        return standard_error(reference_noise_ * state.seconds, std::max(1U, state.measurements));
    };
    const double errors = is_again_ ? proof_of_doubt_again : proof_of_doubt;
    State& winner = states_[winner_];
    bool doubts = false;
    for (State& state : states_) {
        const double gain = winner.seconds - state.seconds;
        const bool was_compared = state.fate == Fate::slower || state.fate == Fate::waiting;
        state.contender = was_compared && gain > settings_.margin * winner.seconds &&
                          gain > errors * std::hypot(error_of(state), error_of(winner));
        doubts = doubts || state.contender;
    }
    winner.contender = doubts;
    if (doubts) ++relearnings_;
    return doubts;
}

void Selector::after_probe(std::size_t slot) {
    const std::uint32_t candidate = sequence_.slots()[slot].candidate;
    const double seconds = std::ranges::min(samples_of(slot));
    if (candidate == 0) {
        probed_host_ = std::isnan(probed_host_) ? seconds : (probed_host_ + seconds) / 2;
    }
    if (std::isnan(states_[candidate].seconds)) {
        states_[candidate].seconds = seconds;
        states_[candidate].fate = Fate::hopeless;
    }
    if (seconds < promising * median(samples_of(0))) {
        begin_check(Purpose::challenge, {candidate}, 0);
    } else {
        start_window();
    }
}

}  // namespace tasuki
