// The third phase: the winner runs, a few of its calls are timed, and a change is looked into
// before anything is learnt again.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "select/selector.hpp"

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

/// Samples of each candidate when a change is looked into, after one that is dropped.
constexpr std::uint32_t check_samples = 8;
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

std::uint32_t Selector::longest_window() const {
    const double cost = agreement_cost_ + DriftTest::window_size * timing_seconds;
    const double by_cost = cost / (settings_.agreement_share * states_[winner_].seconds);
    const double calls = std::max<double>(settings_.longest_window, std::ceil(by_cost));
    return static_cast<std::uint32_t>(std::min<double>(calls, window_limit));
}

void Selector::start_window() {
    const bool is_reference = !drift_.has_reference();
    const std::uint32_t samples = is_reference ? DriftTest::reference_size : DriftTest::window_size;
    // Where calls are short a reference at once would be learning's greatest cost, and a winner
    // that noise has chosen costs little: it takes the time of the first window behind it.
    const std::uint32_t calls = is_reference ? longest_window() / first_share : window_;
    const std::uint32_t stride = std::max(is_reference ? reference_stride : 1, calls / samples);
    std::vector<Slot> slots = {{winner_, stride * samples, stride / 2, stride}};
    if (!is_reference && ++windows_since_probe_ >= settings_.probe_windows) {
        windows_since_probe_ = 0;
        if (const std::uint32_t candidate = next_probe(); candidate != winner_) {
            slots.push_back({candidate, 2, 0, 1});
        }
    }
    start(Purpose::window, std::move(slots));
}

/// The next candidate to be tried that the budget can pay for; the winner if there is none.
std::uint32_t Selector::next_probe() {
    const double allowed = settings_.budget_floor_calls * states_[0].seconds +
                           settings_.budget * total_seconds_ - learning_seconds_;
    for (std::size_t tried = 0; tried < states_.size(); ++tried) {
        probe_ = (probe_ + 1) % static_cast<std::uint32_t>(states_.size());
        if (probe_ == winner_) continue;
        const double seconds = expected_seconds(states_[probe_]);
        // A probe may cost a tenth of what is left, so that slow candidates are tried, but rarely.
        if (2 * (seconds - states_[winner_].seconds) < allowed / 10) return probe_;
    }
    return winner_;
}

void Selector::after_window() {
    const std::span<const double> window = samples_of(0);
    if (purpose_ == Purpose::confirm) {
        if (drift_.confirmed(window) == suspicion_) {
            drift_.forget_reference();
            begin_check(controls(median(window)));
        } else {
            start_window();
        }
        return;
    }
    if (!drift_.has_reference()) {
        const double seconds = middle_mean(window);
        if (seconds > disappointing * states_[winner_].seconds) {
            begin_check(controls(seconds));
            return;
        }
        drift_.set_reference(window);
        states_[winner_].seconds = seconds;
        if (doubts_the_winner()) {
            begin_learning({});
            return;
        }
        window_ = std::max(window_, longest_window() / first_share);
    } else if (const Drift drift = drift_.suspected(window); drift != Drift::none) {
        suspicion_ = drift;
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

/// Whether, by its reference, the winner is not the best after all: noise has chosen it, or let it
/// appear slow now. Once after each learning the two are measured again.
bool Selector::doubts_the_winner() {
    if (std::exchange(reconfirmed_, true)) return false;
    bool doubts = false;
    const double better = (1 - settings_.margin) * states_[winner_].seconds;
    for (State& state : states_) {
        state.contender = state.fate == Fate::slower && state.seconds < better;
        doubts = doubts || state.contender;
    }
    states_[winner_].contender = doubts;
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
        begin_check({candidate});
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

/// Measures the winner beside others: did it change alone, or did everything? If neither, there
/// must be another reference: one that was taken in a bad moment would have each window checked.
void Selector::begin_check(std::vector<std::uint32_t> controls) {
    checked_ = std::move(controls);
    checked_.insert(checked_.begin(), winner_);
    std::vector<Slot> slots;
    for (const std::uint32_t candidate : checked_) {
        slots.push_back(timed_run(candidate, check_samples));
    }
    start(Purpose::check, std::move(slots));
}

void Selector::after_check() {
    std::vector<double> now;
    std::vector<double> changes;
    double noise = 0;
    for (std::size_t slot = 0; slot < checked_.size(); ++slot) {
        const std::span<const double> samples = samples_of(slot);
        now.push_back(middle_mean(samples));
        changes.push_back(now[slot] / states_[checked_[slot]].seconds);
        noise += robust_deviation(samples) / now[slot] / static_cast<double>(checked_.size());
        states_[checked_[slot]].seconds = now[slot];
        states_[checked_[slot]].samples.assign(samples.begin(), samples.end());
    }
    const std::span<const double> others = std::span(changes).subspan(1);
    const double change = changes[0];
    const double common = others.empty() ? change : median(others);
    const double error = std::sqrt(2.0) * standard_error(noise * now[0], samples_of(0).size());
    const bool winner_is_best =
        now[0] - std::ranges::min(now) <= std::max(settings_.margin * now[0], 3 * error);
    // One control that went the same way could have the same trouble; two are the machine.
    const bool all_alike =
        (others.size() > 1 || states_.size() == 2) &&
        std::ranges::all_of(others, [&](double other) { return within(change / other, alike); });
    if (winner_is_best && within(change, same)) {
        start_window();
    } else if (winner_is_best && (change < 1 || all_alike)) {
        for (std::uint32_t i = 0; i < states_.size(); ++i) {
            if (std::ranges::find(checked_, i) == checked_.end()) states_[i].seconds *= common;
        }
        ++common_drifts_;
        begin_running();
    } else {
        learn_again(common);
    }
}

/// Learns among what was just checked and all that may be near the best now. Others are left out,
/// but not for ever.
void Selector::learn_again(double common_change) {
    ++relearnings_;
    reconfirmed_ = false;
    double best = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
        const bool checked = std::ranges::find(checked_, i) != checked_.end();
        if (!checked) states_[i].seconds *= common_change;
        states_[i].contender = checked;
        best = std::min(best, states_[i].seconds);
    }
    std::vector<std::uint32_t> candidates;
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
        if (states_[i].contender || states_[i].fate == Fate::failed) continue;
        if (!(states_[i].seconds > settings_.exclusion_factor * best) ||
            ++states_[i].left_out > settings_.exclusion_lifetime) {
            states_[i].left_out = 0;
            candidates.push_back(i);
        }
    }
    begin_learning(std::move(candidates));
}

}  // namespace tasuki
