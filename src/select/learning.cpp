// The second phase: a short look at each candidate in order of prediction, then rounds of growing
// length among those that may still win.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "select/selector.hpp"
#include "select/statistics.hpp"

namespace tasuki {

namespace {

/// Candidates that are looked at between two agreements.
constexpr std::size_t looks_at_once = 2;
constexpr std::uint32_t look_samples = 2;

/// The host's own calls that take less than short_call are measured once more, after others that
/// take about so long: it is what runs anyway, and its first calls may take ten times what they
/// take later.
constexpr double warm_up_seconds = 32e-6;
constexpr double least_warm_up_calls = 8;
constexpr double most_warm_up_calls = 32;

/// Samples of each contender in one round after the other.
constexpr std::uint32_t round_samples[] = {4, 8, 16, 24, 32};
/// Learning again ends before a round with which all contenders together would have had more, so
/// that a program whose algorithm has become slower is soon done with it: what is still open then
/// are near equals, and whether noise has chosen among them the winner's reference tells.
constexpr std::size_t most_calls_again = 160;
/// The rounds after which learning ends, except if one that seems to be better than what it would
/// replace has still to prove it.
constexpr std::uint32_t usual_rounds = 4;

/// Noise that so many samples have shown may be twice as much.
constexpr double samples_in_doubt = 6;
/// Standard errors that count as proof.
constexpr double proof = 3;
/// The same when learning again: a wrong one is worth less than the calls that it takes.
constexpr double proof_again = 2;
/// The same of the gain for which the host is left.
constexpr double proof_of_gain = 2;

}  // namespace

void Selector::after_first() {
    State& host = states_[0];
    // Samples of cold calls, as those of looks, are not mixed with what the rounds give. Of two the
    // first is the coldest, and noise only adds.
    const bool has_warmed_up = sequence_.slots()[0].calls >= least_warm_up_calls;
    const double seconds = has_warmed_up ? median(samples_of(0)) : std::ranges::min(samples_of(0));
    if (states_.size() == 1) {
        phase_ = Phase::running;
        idle();
        return;
    }
    const bool is_short = std::fmin(seconds, host.seconds) < short_call;
    const bool is_cold = is_short && !has_warmed_up;
    if (warm_) {
        // What that run did not know, or had no time to compare, would have to wait for its turn as
        // a probe.
        std::vector<std::uint32_t> others = worth_measuring();
        std::erase_if(others, [&](std::uint32_t i) { return !states_[i].is_open; });
        take_for_today(seconds, is_cold || !others.empty());
        if (others.empty()) {
            begin_running();
            return;
        }
        has_chosen_ = true;
        states_[winner_].contender = true;
        was_kept_ = true;
        begin_learning(std::move(others));
        return;
    }
    if (is_cold && !promises_much_over(seconds)) {
        const auto calls = static_cast<std::uint32_t>(
            std::clamp(warm_up_seconds / seconds, least_warm_up_calls, most_warm_up_calls));
        start(Purpose::first, {{0, calls, calls / 2, calls < 16 ? 1U : 2U}});
        return;
    }
    host.seconds = seconds;
    host.contender = true;
    begin_learning(worth_measuring());
}

/// By grouping; what is not has been cut by prediction.
std::vector<std::uint32_t> Selector::worth_measuring() {
    std::vector<double> predicted;
    predicted.reserve(states_.size() - 1);
    for (const State& state : std::span(states_).subspan(1)) predicted.push_back(state.predicted);
    const double longest =
        longest_to_measure(predicted, settings_.grouping, settings_.group_factor);
    std::vector<std::uint32_t> candidates;
    candidates.reserve(predicted.size());
    for (std::uint32_t i = 1; i < states_.size(); ++i) {
        if (!(states_[i].predicted > longest)) {
            candidates.push_back(i);
        } else if (states_[i].fate == Fate::waiting) {
            states_[i].fate = Fate::predicted;
        }
    }
    return candidates;
}

/// Learns among the contenders and `candidates`, those expected to be fast first.
void Selector::begin_learning(std::vector<std::uint32_t> candidates) {
    phase_ = Phase::learning;
    today_ = unknown;
    rounds_ = calls_of_rounds_ = 0;
    calibrate();
    looks_ = std::move(candidates);
    cut_looks();
    std::ranges::stable_sort(looks_, {}, [&](std::uint32_t i) {
        const double seconds = expected_seconds(i);
        return std::isnan(seconds) ? std::numeric_limits<double>::infinity() : seconds;
    });
    learn_on();
}

/// Not even with as much luck as the luckiest so far would these come near the best.
void Selector::cut_looks() {
    if (settings_.grouping != Grouping::near_best) return;
    const double best = states_[best_known()].seconds;
    const std::array is_luck_known = {any_shows_luck(false), any_shows_luck(true)};
    std::erase_if(looks_, [&](std::uint32_t i) {
        const double factor = is_luck_known[(*candidates_)[i].by_host]
                                  ? settings_.look_factor_of_carrier
                                  : settings_.look_factor;
        const bool measured = !std::isnan(states_[i].seconds);
        if (measured || !(states_[i].predicted * luck_of(i).luckiest > factor * best)) return false;
        states_[i].fate = Fate::predicted;
        return true;
    });
}

void Selector::learn_on() {
    cut_looks();
    if (!looks_.empty()) {
        look_at_next();
        return;
    }
    const std::vector<std::uint32_t> remaining = contenders();
    if (is_settled(remaining)) {
        choose_winner();
    } else {
        measure_contenders(remaining);
    }
}

void Selector::look_at_next() {
    std::vector<Slot> slots;
    const double to_pay = set_up_to_pay(looks_[0]);
    for (std::size_t i = 0; i < std::min(looks_at_once, looks_.size()); ++i) {
        // What is expected to be fast does not wait until the budget can pay for what is not.
        if (i > 0 && set_up_to_pay(looks_[i]) > to_pay) break;
        const std::uint32_t calls = calls_of_look(looks_[i]);
        // Of short calls the first is the coldest.
        const std::uint32_t drop = calls > 1 ? std::max(1U, calls / 4) : 0;
        slots.push_back({looks_[i], look_samples * calls, look_samples * drop, 1, calls - drop});
    }
    // The host's own is what ran anyway, and waiting for the first that is expected to be faster
    // would cost more than to look at it.
    const std::uint32_t first = slots[0].candidate;
    const bool is_gain =
        expected_seconds(first) < (1 - settings_.margin) * states_[best_known()].seconds;
    if (first == 0 || (are_first_looks_ && is_gain)) {
        start(Purpose::look, std::move(slots));
    } else {
        start_within_budget(Purpose::look, std::move(slots));
    }
}

void Selector::after_look() {
    for (std::size_t slot = 0; slot < sequence_.slots().size(); ++slot) {
        const std::span<const double> samples = samples_of(slot);
        if (samples.empty()) continue;  // the wait for the budget
        State& state = states_[sequence_.slots()[slot].candidate];
        // The first call builds programs and connections, and noise only adds.
        state.seconds = std::ranges::min(samples);
        state.measurements = 1;
        state.samples.clear();
        state.contender = true;
        std::erase(looks_, sequence_.slots()[slot].candidate);
    }
    calibrate();
    give_up_hopeless();
    learn_on();
}

void Selector::give_up_hopeless() {
    const double best = states_[best_known()].seconds;
    const bool are_first = std::exchange(are_first_looks_, false);
    // What stands in for it may be carried by memory, of which this is true as of others.
    const bool has_host = (*candidates_)[0].by_host;
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
        State& state = states_[i];
        const bool is_host = has_host && i == 0;
        const bool is_cold_host = are_first && is_host;
        const double factor = is_cold_host ? host_hopeless_factor : settings_.hopeless_factor;
        // What an earlier run has chosen is not given up for a look at another.
        if (state.samples_ever == 0) continue;
        if (!state.contender || state.seconds <= factor * best) continue;
        state.contender = false;
        state.fate = Fate::hopeless;
        // The first that memory carries pays for memory that all will use, and perhaps so has one
        // that was expected to be fast; not by its own luck, where it is alone of those.
        const double usual = std::fmin(luck_of(i).usual, luck_by_host_.usual);
        const bool is_surprise = state.predicted * usual <= factor * best;
        if (!is_host && (are_first || is_surprise) && std::isnan(state.first_look)) {
            state.first_look = state.seconds;
            // By that of candidate 0 budgets are reckoned: it is kept until it is known better.
            if (i != 0) state.seconds = unknown;
            looks_.insert(i == 0 ? looks_.begin() : looks_.end(), i);
        }
    }
    if (are_first && states_[0].contender) looks_.insert(looks_.begin(), 0);
}

std::vector<std::uint32_t> Selector::contenders() const {
    std::vector<std::uint32_t> list;
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
        if (states_[i].contender) list.push_back(i);
    }
    return list;
}

void Selector::measure_contenders(const std::vector<std::uint32_t>& contenders) {
    std::vector<Slot> slots;
    const std::uint32_t best = best_known();
    for (const std::uint32_t candidate : contenders) {
        const bool is_asked = candidate == best || candidate == 0 || candidate == winner_;
        if (rounds_ >= usual_rounds && !is_asked) continue;
        slots.push_back(timed_run(candidate, round_samples[rounds_]));
    }
    start_within_budget(Purpose::round, std::move(slots));
}

void Selector::after_round() {
    ++rounds_;
    for (std::size_t slot = 0; slot < sequence_.slots().size(); ++slot) {
        const std::span<const double> samples = samples_of(slot);
        if (samples.empty()) continue;
        calls_of_rounds_ += static_cast<std::uint32_t>(samples.size()) + 1;
        State& state = states_[sequence_.slots()[slot].candidate];
        state.samples.insert(state.samples.end(), samples.begin(), samples.end());
        state.seconds = middle_mean(state.samples);
        state.measurements = static_cast<std::uint32_t>(state.samples.size());
    }
    calibrate();
    // Few samples of one candidate say little about its noise, those of all together enough.
    std::vector<double> relative;
    std::size_t samples = 0;
    for (const State& state : states_) {
        if (!state.contender) continue;
        relative.push_back(robust_deviation(state.samples) / state.seconds);
        samples += state.samples.size();
    }
    const double now = std::accumulate(relative.begin(), relative.end(), 0.0) /
                       static_cast<double>(relative.size());
    // The median deviation of a dozen samples may well be half of what it is of many. A reference
    // is of single calls, which differ by more than samples of many.
    const double known = has_short_calls(best_known()) ? 0 : reference_noise_;
    noise_ = std::max(now * (1 + samples_in_doubt / static_cast<double>(samples)), known);
    const State& best = states_[best_known()];
    const double errors = is_again_ ? proof_again : proof;
    for (State& state : states_) {
        if (!state.contender || &state == &best) continue;
        const double slower = state.seconds - best.seconds;
        if (slower > errors * error_of_difference(state, best) &&
            slower > settings_.tolerance * best.seconds) {
            state.contender = false;
            state.fate = Fate::slower;
        }
    }
    learn_on();
}

double Selector::error_of_difference(const State& a, const State& b) const {
    return std::hypot(standard_error(noise_ * a.seconds, a.samples.size()),
                      standard_error(noise_ * b.seconds, b.samples.size()));
}

/// Whether another round could not gain anything that counts.
bool Selector::is_settled(const std::vector<std::uint32_t>& contenders) const {
    if (contenders.size() <= 1 || rounds_ == std::size(round_samples)) return true;
    if (rounds_ == 0) return false;
    const std::size_t next = contenders.size() * (round_samples[rounds_] + 1);
    if (is_again_ && calls_of_rounds_ + next > most_calls_again) return true;
    if (rounds_ == usual_rounds) return !has_to_prove_itself(best_known());
    const State& best = states_[best_known()];
    return std::ranges::all_of(contenders, [&](std::uint32_t i) {
        const State& state = states_[i];
        const double gain = best.seconds - state.seconds;
        return &state == &best ||
               gain + proof * error_of_difference(state, best) < settings_.tolerance * best.seconds;
    });
}

/// Whether it seems to be better than the host's own, or than what is in use, but not surely.
bool Selector::has_to_prove_itself(std::uint32_t candidate) const {
    return std::ranges::any_of(std::array{0U, winner_}, [&](std::uint32_t present) {
        const State& state = states_[present];
        return state.contender && !is_worth_leaving(present, candidate) &&
               state.seconds - states_[candidate].seconds > settings_.margin * state.seconds;
    });
}

/// Between equals noise would choose.
bool Selector::is_worth_leaving(std::uint32_t present, std::uint32_t other) const {
    const State& from = states_[present];
    const State& to = states_[other];
    // If it is no contender any more, that it is slower has been shown. Who has left the host's own
    // before, for what has become slower since, need not have it proven again.
    const bool was_left = present == 0 && is_again_;
    const bool is_open = from.contender && !from.samples.empty() && !was_left;
    const double error = is_open ? error_of_difference(from, to) : 0;
    return from.seconds - to.seconds >
           std::max(settings_.margin * from.seconds, proof_of_gain * error);
}

/// Of equals it is the host; if both are better than that, the one that has been in use.
void Selector::use_best_known() {
    const std::uint32_t best = best_known();
    std::uint32_t chosen = is_worth_leaving(0, best) ? best : 0;
    if (chosen != winner_ && winner_ != 0 && is_worth_leaving(0, winner_) &&
        !is_worth_leaving(winner_, chosen)) {
        chosen = winner_;
    }
    if (chosen != winner_) {
        switched_at_ = sequence_.calls();
        State& left = states_[winner_];
        // A contender has still to be compared.
        if (left.fate == Fate::winner) left.fate = left.contender ? Fate::waiting : Fate::slower;
    }
    winner_ = chosen;
    states_[winner_].fate = Fate::winner;
}

void Selector::choose_winner() {
    use_best_known();
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
        if (states_[i].contender && i != winner_) states_[i].fate = Fate::slower;
        states_[i].contender = false;
    }
    begin_running();
}

}  // namespace tasuki
