// What candidates are expected to take that have not been measured, and what follows for looks.
#include <algorithm>
#include <cmath>
#include <vector>

#include "select/selector.hpp"
#include "select/statistics.hpp"

namespace tasuki {

namespace {

/// Candidates that promise much are expected to be this many times as fast ...
constexpr double promise = 1.5;
/// ... or as fast, if memory carries them: that is faster nearly always, and often by more than
/// its prediction says.
constexpr double promise_by_memory = 1;

/// Of the shortest sample: for one that is expected to be hopeless and is only asked whether so ...
constexpr double share_of_hopeless = 0.25;
/// ... and for one that was when it was cold.
constexpr double share_of_second_look = 0.5;

/// Where ranks share cores, a host whose first calls take so many times less than an earlier run
/// says of it takes that in a row only.
constexpr double tiring = 4;

}  // namespace

/// Measured if it was, else predicted and corrected by what measuring others has shown.
double Selector::expected_seconds(std::uint32_t candidate) const {
    const State& state = states_[candidate];
    return std::isnan(state.seconds) ? state.predicted * luck_of(candidate).usual : state.seconds;
}

/// What an earlier run has measured, on a machine that is as fast today as the host's own algorithm
/// says it is, which takes `seconds`; while that is cold, or decides about the winner, it can only
/// say that it is faster.
void Selector::take_for_today(double seconds, bool is_doubtful) {
    const double today = seconds / states_[0].seconds;
    double change = is_doubtful ? std::min(1.0, today) : today;
    if (shares_cores()) {
        // First calls may be fast there because all ranks have just had a core.
        change = std::max(1.0, change);
        if (winner_ != 0 && today < 1 / tiring) ++states_[0].times_tired;
    }
    for (State& state : states_) state.seconds *= change;
    today_ = change;
}

/// The host's own by which that was judged are the first calls of the run: they connect the ranks,
/// and in a program wait for those that come late. The winner, of which `seconds` are a reference,
/// says it better; else what is kept of all others would grow from run to run.
void Selector::take_by_winner(double seconds) {
    const double change = seconds / as_kept(winner_);
    take_as_kept(is_same(change) ? 1 : change);
}

/// As an earlier run has measured, where this one has not.
double Selector::as_kept(std::uint32_t candidate) const {
    const State& state = states_[candidate];
    return state.measurements > 0 || std::isnan(today_) ? state.seconds : state.seconds / today_;
}

/// All but the winner, times `change`, which is not judged again.
void Selector::take_as_kept(double change) {
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
        if (i != winner_ && states_[i].measurements == 0) states_[i].seconds = as_kept(i) * change;
    }
    today_ = unknown;
}

/// Whether some candidate is expected to be so much faster than the host's own that how fast that
/// is once it is warm need not be known first.
bool Selector::promises_much_over(double host_seconds) const {
    for (std::uint32_t i = 1; i < states_.size(); ++i) {
        const double wanted = (*candidates_)[i].by_host ? promise : promise_by_memory;
        if (states_[i].predicted * wanted < host_seconds) return true;
    }
    return false;
}

/// What the first call of a candidate costs that is not expected to win it back.
double Selector::set_up_to_pay(std::uint32_t candidate) const {
    const State& state = states_[candidate];
    if (state.samples_ever > 0) return 0;  // in this run
    const double seconds = expected_seconds(candidate);
    const bool may_win = !(seconds > states_[best_known()].seconds) &&
                         std::ranges::none_of(looks_, [&](std::uint32_t other) {
                             return seconds > expected_seconds(other);
                         });
    return may_win ? 0 : settings_.set_up_seconds;
}

/// In one sample.
std::uint32_t Selector::calls_of_look(std::uint32_t candidate) const {
    const double hopeless = settings_.hopeless_factor * states_[best_known()].seconds;
    if (!(expected_seconds(candidate) > hopeless)) return persistence(candidate);
    const bool is_second = states_[candidate].samples_ever > 0;
    const std::uint32_t calls =
        persistence(candidate, is_second ? share_of_second_look : share_of_hopeless);
    // Of all that is looked at there the host's own takes the longest, and is asked a second time.
    const bool is_host = candidate == 0 && (*candidates_)[0].by_host;
    return shares_cores() && is_host ? std::max(1U, calls / 2) : calls;
}

/// What was measured of one carrier says little of the other: their parameters are measured, or
/// guessed, apart. Where nothing of one was, it has to do.
void Selector::calibrate() {
    if (!(*candidates_)[0].by_host) {
        luck_by_memory_ = luck_among(false, {});
        luck_by_host_ = luck_among(true, luck_by_memory_);
        return;
    }
    // The host's own is one of the rows, or as good as one: if it takes less than the best of them
    // is predicted to take, everything may.
    const double own = std::fmin(1, states_[0].seconds / candidates_->shortest_by_host());
    luck_by_host_ = luck_among(true, {own, own});
    luck_by_memory_ =
        luck_among(false, {luck_by_host_.usual, std::fmin(1, luck_by_host_.luckiest)});
}

/// Whether the candidate is carried that way, and was measured and believed.
bool Selector::shows_luck(std::uint32_t candidate, bool by_host) const {
    const State& state = states_[candidate];
    return (*candidates_)[candidate].by_host == by_host && state.predicted > 0 &&
           state.seconds > 0 && std::isfinite(state.seconds);
}

bool Selector::any_shows_luck(bool by_host) const {
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
        if (shows_luck(i, by_host)) return true;
    }
    return false;
}

/// Of the candidates that were measured.
Selector::Luck Selector::luck_among(bool by_host, const Luck& without_any) const {
    std::vector<double> ratios;
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
        if (shows_luck(i, by_host)) ratios.push_back(states_[i].seconds / states_[i].predicted);
    }
    if (ratios.empty()) return without_any;
    const double least = std::ranges::min(ratios);
    // One alone may have been unlucky.
    return {quantile(ratios, 0.5), ratios.size() == 1 ? std::fmin(1, least) : least};
}

}  // namespace tasuki
