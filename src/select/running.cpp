// The third phase: the winner runs, a few of its calls are timed, and a change is looked into
// before anything is learnt again.
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
constexpr std::uint32_t shortest_window = 2 * DriftTest::window_size;
constexpr std::uint32_t window_limit = 1 << 16;
/// Windows grow to the longest from this share of it.
constexpr std::uint32_t first_share = 4;
/// What a call costs more that is timed.
constexpr double timing_seconds = 150e-9;

/// Samples of each candidate when a change is looked into, in turns of so many after one that is
/// dropped: what comes and goes on the machine meanwhile is common to all of them.
constexpr std::uint32_t check_samples = 4;
constexpr std::uint32_t check_turns = 2;
/// Samples of each when a candidate has to prove that it is better, one a turn: so many show one
/// that is better by 1.7 standard deviations of a sample, at a rate of 1e-7.
constexpr std::uint32_t proof_turns = 32;
/// Candidates that are measured beside the winner then.
constexpr std::size_t most_controls = 3;
/// A candidate slower than this factor costs too much to be asked about the machine.
constexpr double control_factor = 4;

/// Changes by less than this factor are no reason to do anything.
constexpr double same = 1.05;
/// Changes of several candidates within this factor of each other are one change. It is wide
/// because what a first look has measured is rough; the winner must be the best anyway.
constexpr double alike = 1.2;
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

bool within(double ratio, double factor) {
    return ratio < factor && ratio > 1 / factor;
}

}  // namespace

void Selector::begin_running() {
    phase_ = Phase::running;
    has_chosen_ = true;
    calibrate();
    probed_host_ = unknown;
    drift_.forget_reference();
    window_ = shortest_window;
    for (State& state : states_) state.samples = {};
    start_window();
}

/// In how many calls so many samples and an agreement about them cost no more than their share.
std::uint32_t Selector::calls_that_pay_for(std::uint32_t samples) const {
    const double cost = agreement_cost_ + samples * timing_seconds;
    const double by_cost = cost / (settings_.agreement_share * states_[winner_].seconds);
    const double calls = std::max<double>(settings_.longest_window, std::ceil(by_cost));
    return static_cast<std::uint32_t>(std::min<double>(calls, window_limit));
}

std::uint32_t Selector::longest_window() const {
    return calls_that_pay_for(DriftTest::window_size);
}

void Selector::start_window() {
    const bool is_reference = !drift_.has_reference();
    const std::uint32_t samples = is_reference ? DriftTest::reference_size : DriftTest::window_size;
    // Where calls are short a reference at once would be learning's greatest cost, and a winner
    // that noise has chosen costs little.
    const std::uint32_t calls = is_reference ? calls_that_pay_for(samples) : window_;
    const std::uint32_t stride = std::max(is_reference ? reference_stride : 1, calls / samples);
    std::vector<Slot> slots = {{winner_, stride * samples, 0, stride}};
    if (!is_reference) {
        if (const std::uint32_t candidate = due_probe(); candidate != winner_) {
            slots.push_back(probe_of(candidate));
        }
    }
    start(Purpose::window, std::move(slots));
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
    return next_probe();
}

/// Two samples. Of short calls those before are dropped, which meet code and data that are not in
/// the caches.
Slot Selector::probe_of(std::uint32_t candidate) const {
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
    const double allowed = settings_.budget_floor_calls * states_[0].seconds +
                           settings_.budget * total_seconds_ - learning_seconds_;
    const double longer = expected_seconds(states_[candidate]) - states_[winner_].seconds;
    return probe_of(candidate).calls * longer < allowed / 10;
}

void Selector::after_window() {
    const std::span<const double> window = samples_of(0);
    if (purpose_ == Purpose::confirm) {
        if (drift_.confirmed(window, suspicion_)) {
            drift_.forget_reference();
            begin_check(Purpose::check, controls(median(window)));
        } else {
            start_window();
        }
        return;
    }
    if (!drift_.has_reference()) {
        const double seconds = middle_mean(window);
        if (seconds > disappointing * states_[winner_].seconds) {
            begin_check(Purpose::doubt, controls(seconds));
            return;
        }
        drift_.set_reference(window);
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
    }
    if (sequence_.slots().size() > 1) {
        after_probe(1);
    } else {
        start_window();
    }
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
        state.contender = state.fate == Fate::slower && gain > settings_.margin * winner.seconds &&
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
        begin_check(Purpose::challenge, {candidate});
    } else {
        start_window();
    }
}

/// The fastest others, to tell a change of the winner from one of everything.
std::vector<std::uint32_t> Selector::controls(double winner_seconds) const {
    std::vector<std::uint32_t> list;
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
        if (i != winner_ && states_[i].seconds < control_factor * winner_seconds) list.push_back(i);
    }
    std::ranges::sort(list, {}, [&](std::uint32_t i) { return states_[i].seconds; });
    list.resize(std::min(list.size(), most_controls));
    return list;
}

/// Measures the winner beside others, in turns.
void Selector::compare(Purpose purpose) {
    const bool is_proof = purpose == Purpose::proof;
    const std::uint32_t turns = is_proof ? proof_turns : check_turns;
    std::vector<Slot> slots;
    for (std::uint32_t turn = 0; turn < turns; ++turn) {
        for (const std::uint32_t candidate : checked_) {
            slots.push_back(is_proof ? even_run(candidate) : timed_run(candidate, check_samples));
        }
    }
    start(purpose, std::move(slots));
}

/// One sample, of so many calls that of two kinds that a program makes in turn both are in it. Else
/// one that is faster in one kind and slower in the other has as many of the fastest samples as of
/// the slowest, whatever it takes in all, and ranks prove nothing.
Slot Selector::even_run(std::uint32_t candidate) const {
    const std::uint32_t calls = persistence(candidate);
    const std::uint32_t even = calls + calls % 2;
    return {candidate, calls + even, calls, 1, even};
}

/// A check asks what has changed, after an alarm of the drift test; a doubt, whether others are
/// better than a winner that does not keep its promise; a challenge, whether a probe was right.
void Selector::begin_check(Purpose purpose, std::vector<std::uint32_t> controls) {
    checked_ = std::move(controls);
    checked_.insert(checked_.begin(), winner_);
    compare(purpose);
}

/// What those that were checked take, as was known until now.
std::vector<double> Selector::seconds_of_checked() const {
    std::vector<double> seconds;
    for (const std::uint32_t candidate : checked_) seconds.push_back(states_[candidate].seconds);
    return seconds;
}

void Selector::take_checked() {
    for (const std::uint32_t candidate : checked_) {
        const std::vector<double> samples = all_samples_of(candidate);
        // Its reference says more than a short comparison, as long as it holds.
        if (candidate == winner_ && drift_.has_reference()) continue;
        states_[candidate].seconds = middle_mean(samples);
        states_[candidate].measurements = static_cast<std::uint32_t>(samples.size());
    }
}

/// The drift test has a stated rate of false alarms, so what it has seen is a change. Did the
/// winner change alone, or did everything? If neither, there must be another reference: one that
/// was taken in a bad moment would have each window checked.
void Selector::after_check() {
    const std::vector<double> before = seconds_of_checked();
    take_checked();
    const std::vector<double> now = seconds_of_checked();
    std::vector<double> changes;
    double noise = 0;
    for (std::size_t i = 0; i < checked_.size(); ++i) {
        changes.push_back(now[i] / before[i]);
        noise += robust_deviation(all_samples_of(checked_[i])) / now[i] /
                 static_cast<double>(checked_.size());
    }
    const std::span<const double> others = std::span(changes).subspan(1);
    const double change = changes[0];
    const double common = others.empty() ? change : median(others);
    const double error =
        std::sqrt(2.0) * standard_error(noise * now[0], check_samples * check_turns);
    const bool winner_is_best =
        now[0] - std::ranges::min(now) <= std::max(settings_.margin * now[0], 3 * error);
    // One control that went the same way could have the same trouble; two are the machine.
    const bool all_alike =
        (others.size() > 1 || states_.size() == 2) &&
        std::ranges::all_of(others, [&](double other) { return within(change / other, alike); });
    if (winner_is_best && within(change, same)) {
        start_window();
        return;
    }
    scale_unchecked(common);
    if (winner_is_best && (change < 1 || all_alike)) {
        ++common_drifts_;
        begin_running();
    } else {
        learn_again();
    }
}

/// Nothing is learnt again for what noise may do: who seems to be better has to prove it.
void Selector::after_doubt_or_challenge() {
    const std::vector<double> before = seconds_of_checked();
    take_checked();
    std::vector<double> changes;
    std::vector<double> now;
    for (std::size_t i = 0; i < checked_.size(); ++i) {
        now.push_back(middle_mean(all_samples_of(checked_[i])));
        if (i > 0) changes.push_back(now[i] / before[i]);
    }
    if (purpose_ == Purpose::doubt && !changes.empty()) scale_unchecked(median(changes));
    const auto best = std::ranges::min_element(now) - now.begin();
    if (now[best] < (1 - settings_.margin) * now[0]) {
        checked_ = {winner_, checked_[best]};
        compare(Purpose::proof);
    } else {
        start_window();
    }
}

void Selector::after_proof() {
    take_checked();
    const std::vector<double> winner = all_samples_of(winner_);
    const std::vector<double> other = all_samples_of(checked_[1]);
    if (middle_mean(other) < (1 - settings_.margin) * middle_mean(winner) &&
        chance_of_ranks(other, winner) < settings_.false_alarm_rate) {
        drift_.forget_reference();
        take_checked();
        learn_again();
    } else {
        start_window();
    }
}

/// What was not checked is taken to have changed as the others have.
void Selector::scale_unchecked(double change) {
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
        if (std::ranges::find(checked_, i) == checked_.end()) states_[i].seconds *= change;
    }
}

/// Learns among those that may be near the best now. Others are left out, but not for ever. What
/// was just checked is compared with itself: that one which was not is better is only expected.
void Selector::learn_again() {
    ++relearnings_;
    reconfirmed_ = false;
    is_again_ = true;
    const auto was_checked = [&](std::uint32_t i) {
        return std::ranges::find(checked_, i) != checked_.end();
    };
    double best = std::numeric_limits<double>::infinity();
    double best_checked = best;
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
        best = std::min(best, states_[i].seconds);
        if (was_checked(i)) best_checked = std::min(best_checked, states_[i].seconds);
    }
    std::vector<std::uint32_t> candidates;
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
        State& state = states_[i];
        state.contender = false;
        if (state.fate == Fate::failed) continue;
        const double nearest = was_checked(i) ? best_checked : best;
        if (state.seconds > settings_.exclusion_factor * nearest &&
            ++state.left_out <= settings_.exclusion_lifetime) {
            continue;
        }
        state.left_out = 0;
        if (was_checked(i)) {
            state.contender = true;
            state.samples = all_samples_of(i);
        } else {
            candidates.push_back(i);
        }
    }
    begin_learning(std::move(candidates));
}

}  // namespace tasuki
