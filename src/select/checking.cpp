// What makes the winner look slow, or another fast, is looked into before anything is learnt again.
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "select/selector.hpp"
#include "select/statistics.hpp"

namespace tasuki {

namespace {

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
/// So many such rows without a good one between them, and what it takes in a row is what it takes.
constexpr std::uint32_t rows_that_convince = 2;

bool within(double ratio, double factor) {
    return ratio < factor && ratio > 1 / factor;
}

}  // namespace

bool Selector::is_same(double change) {
    return within(change, same);
}

/// The fastest others, to tell a change of the winner, which takes `winner_seconds` now, from one
/// of everything. Theirs are as old as what it took when it was compared.
std::vector<std::uint32_t> Selector::controls(double winner_seconds) const {
    const double longest = control_factor * std::fmax(winner_seconds, compared_seconds_);
    std::vector<std::uint32_t> list;
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
        if (i != winner_ && states_[i].seconds < longest) list.push_back(i);
    }
    std::ranges::sort(list, {}, [&](std::uint32_t i) { return states_[i].seconds; });
    list.resize(std::min(list.size(), most_controls));
    return list;
}

/// Of a winner that takes `seconds` now.
bool Selector::can_pay_for_check(double seconds) const {
    double cost = agreement_cost_;
    for (const std::uint32_t other : controls(seconds)) {
        const double longer = std::max(0.0, states_[other].seconds - seconds);
        cost += check_turns * timed_run(other, check_samples).calls * longer;
    }
    return cost < left_of_budget();
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

/// A check asks what has changed, when the winner takes another time than before; a doubt, whether
/// others are better than a winner that does not keep its promise, having taken `seconds_in_a_row`;
/// a challenge, whether a probe was right.
void Selector::begin_check(Purpose purpose, std::vector<std::uint32_t> controls,
                           double seconds_in_a_row) {
    seconds_in_a_row_ = seconds_in_a_row;
    // A challenge leaves it its reference, and with it what that was compared with.
    if (!drift_.has_reference()) accepted_seconds_ = compared_seconds_ = unknown;
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
    if (winner_is_best && is_same(change)) {
        go_on_after(now[0]);
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
    if (purpose_ == Purpose::doubt && !changes.empty()) {
        scale_unchecked(median(changes));
        today_ = unknown;
    } else if (!std::isnan(today_)) {
        take_as_kept(1);  // with none to compare, a slower winner says nothing of the others
    }
    const auto best = std::ranges::min_element(now) - now.begin();
    if (now[best] < (1 - settings_.margin) * now[0]) {
        checked_ = {winner_, checked_[best]};
        compare(Purpose::proof);
    } else if (shares_cores() && purpose_ == Purpose::doubt && changes.empty() &&
               expected_of_others() < (1 - settings_.margin) * now[0]) {
        // By what it took before, none was worth comparing. That it is slow in a row is not shown.
        seconds_in_a_row_ = 0;
        learn_again();
    } else {
        go_on_after(now[0]);
    }
}

/// After a check or a doubt in which the winner, which had been slow, took `seconds_in_turns`:
/// whether it is to be given up, because it is slow whenever it runs in a row.
bool Selector::is_slow_in_a_row(double seconds_in_turns) {
    if (!(seconds_in_a_row_ > control_factor * seconds_in_turns)) return false;
    tried_calls_ = 0;
    if (++slow_rows_ < rows_that_convince) return false;
    slow_rows_ = 0;
    states_[winner_].seconds = seconds_in_a_row_;
    return true;
}

/// With the winner, which nothing that ran in turns with it has beaten.
void Selector::go_on_after(double winner_in_turns) {
    if (is_slow_in_a_row(winner_in_turns)) {
        drift_.forget_reference();
        learn_again(expected_of_others());
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
        go_on_after(middle_mean(winner));
    }
}

/// What was not checked is taken to have changed as the others have.
void Selector::scale_unchecked(double change) {
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
        if (std::ranges::find(checked_, i) == checked_.end()) states_[i].seconds *= change;
    }
}

/// The least that one takes which is not the winner, by what that takes now.
double Selector::expected_of_others() {
    calibrate();
    double expected = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
        if (i != winner_) expected = std::fmin(expected, expected_seconds(i));
    }
    return expected;
}

/// Learns among those that may be near the best now. Others are left out, but not for ever. What
/// was just checked is compared with itself, because that one which was not is better is only
/// expected. `least_of_others` is that expectation, where the winner takes in a row what no turns
/// show: the host's own is compared with it, too. Another one is not: if it were left out, the
/// host's own would run until there is a better one, whatever that takes.
void Selector::learn_again(double least_of_others) {
    ++relearnings_;
    reconfirmed_ = false;
    is_again_ = true;
    const bool was_slow = seconds_in_a_row_ > 0;
    if (was_slow && good_windows_ < settings_.probe_windows) ++states_[winner_].times_tired;
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
        const bool is_host_in_use = i == 0 && i == winner_;
        const double nearest = is_host_in_use   ? std::fmin(best_checked, least_of_others)
                               : was_checked(i) ? best_checked
                                                : best;
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
