// The frame of the state machine: calls, agreements, accounts. Learning and running have a file
// each.
#include "select/selector.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "select/digest.hpp"
#include "select/statistics.hpp"

namespace tasuki {

namespace {

constexpr std::array<std::string_view, 4> phases = {"starting", "learning", "running", "aside"};

/// What short runs have left of their budgets is for a probe at the beginning of the next one, and
/// counts for no more than so many times the budget's floor.
constexpr double most_floors_left = 4;

/// A timed call that was not given, on all ranks alike; below every time.
constexpr double no_sample = -1;

/// A sample of as many calls is the mean of all but the longest.
constexpr std::uint32_t fewest_to_drop_one = 4;

std::uint64_t digest_of(const CandidateList& candidates, const SelectionSettings& s,
                        const Decision* known) {
    Digest digest = candidates.digest();
    digest.add(name_of(s.grouping)).add(s.look_factor_of_carrier);
    for (const double number :
         {s.group_factor, s.look_factor, s.hopeless_factor, s.budget, s.budget_floor_calls,
          s.margin, s.tolerance, s.false_alarm_rate, double(s.longest_window),
          s.long_window_seconds, s.agreement_share, s.share_of_windows, s.exclusion_factor,
          double(s.exclusion_lifetime), double(s.probe_windows), double(s.persistence),
          s.shortest_sample, double(s.most_persistence), s.set_up_seconds}) {
        digest.add(number);
    }
    if (known != nullptr) {
        digest.add(known->winner).add(static_cast<double>(known->calls));
        digest.add(known->learning_seconds);
        for (const CandidateRecord& record : known->candidates) {
            digest.add(record.name).add(record.measured).add(name_of(record.fate));
        }
    }
    return digest.value();
}

}  // namespace

std::string_view name_of(Phase phase) {
    return phases[static_cast<std::size_t>(phase)];
}

Selector::Selector(std::shared_ptr<const CandidateList> candidates,
                   const SelectionSettings& settings, const Decision* known)
    : settings_(settings),
      candidates_(std::move(candidates)),
      states_(candidates_->size()),
      digest_(digest_of(*candidates_, settings, known)),
      drift_(settings.false_alarm_rate) {
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
        states_[i].predicted = (*candidates_)[i].predicted;
    }
    states_[0].fate = Fate::winner;
    if (known != nullptr) {
        for (std::uint32_t i = 0; i < states_.size(); ++i) {
            const CandidateRecord* record = known->find(candidate_name(i));
            states_[i].is_open = record == nullptr || record->fate == Fate::waiting;
            if (record == nullptr) continue;
            states_[i].fate = record->fate;
            // Most often that was a look at it while it was cold; what is predicted says more.
            if (i != 0 && states_[i].is_open && !std::isnan(states_[i].predicted)) continue;
            states_[i].seconds = record->measured;
            if (record->fate == Fate::failed) {
                states_[i].seconds = std::numeric_limits<double>::infinity();
            }
            if (candidate_name(i) == known->winner && !std::isnan(record->measured)) {
                winner_ = i;
                warm_ = !std::isnan(states_[0].seconds);
            }
        }
        if (!warm_) winner_ = 0;
        go_on_with_probes(*known);
    }
    start_first();
}

/// Where earlier runs have got to with trying others in turn, and what their budgets have left for
/// it: short runs alone would try the first ones for ever, and never what seemed slow.
void Selector::go_on_with_probes(const Decision& known) {
    // A window is as long as its time allows, if that is known.
    const std::uint32_t window = warm_ ? calls_that_pay(0, 1) : settings_.longest_window;
    const std::uint64_t windows = known.calls / window;
    windows_since_probe_ = static_cast<std::uint32_t>(windows % settings_.probe_windows);
    probe_ = static_cast<std::uint32_t>(windows / settings_.probe_windows % states_.size());
    if (!warm_) return;
    const double spent = static_cast<double>(known.calls) * states_[winner_].seconds;
    const double left = settings_.budget * spent - known.learning_seconds;
    const double most = most_floors_left * settings_.budget_floor_calls * floor_call();
    left_by_earlier_runs_ = std::clamp(left, 0.0, most);
}

void Selector::start_first() {
    start(Purpose::first, {{0, first_calls, 0, 1}});
}

void Selector::start(Purpose purpose, std::vector<Slot> slots) {
    purpose_ = purpose;
    sequence_.start(std::move(slots));
    std::size_t samples = 0;
    for (const Slot& slot : sequence_.slots()) samples += slot.samples();
    // After the samples: minus the last agreement's cost, the digest and minus the digest.
    values_.assign(samples + maxima, no_sample);
    values_[samples] = 0;
    values_[samples + 1] = static_cast<double>(digest_);
    values_[samples + 2] = -static_cast<double>(digest_);
    timed_ = last_given_ = 0;
    parts_ = given_ = 0;
}

/// Where calls are short, what a change of algorithm costs (code and data that are not in the
/// caches, ranks that are ahead of others) lasts for many of them. Of a candidate that is
/// expected to be slower, or was when it was looked at first, fewer calls take as long.
std::uint32_t Selector::persistence(std::uint32_t candidate, double share) const {
    const State& state = states_[candidate];
    const double expected = expected_seconds(candidate);
    double seconds = least_known_seconds();
    if (state.has_run()) {
        seconds = std::fmax(seconds, expected);
        if (std::isnan(state.seconds)) seconds = std::fmax(seconds, state.first_look);
    } else if (set_up_to_pay(candidate) == 0) {
        // Expected to be faster than a host's own that is not warm yet may be, and soon is.
        seconds = std::fmin(seconds, expected);
    } else {
        // Predictions are wrong now and then, and then it may be as slow as the host's own.
        seconds = std::fmax(std::fmax(seconds, expected), states_[0].seconds);
    }
    const double calls = share * settings_.shortest_sample / seconds;
    const double bounded = std::clamp(std::round(calls), 1.0, double(settings_.most_persistence));
    return std::max(settings_.persistence, static_cast<std::uint32_t>(bounded));
}

Slot Selector::timed_run(std::uint32_t candidate, std::uint32_t samples) const {
    const std::uint32_t calls = persistence(candidate);
    return {candidate, (samples + 1) * calls, calls, 1, calls};
}

void Selector::sample(double seconds) {
    if (timed_ == 0) return;
    // Most are the next part of the same sample.
    if (timed_ != last_given_ + 1 || given_ == parts_) find_sample();
    last_given_ = timed_;
    sum_ += seconds;
    longest_ = std::fmax(longest_, seconds);
    if (++given_ != parts_) return;
    // Of short calls a sample is so many that a rank which is late now and then is in most of them.
    // Where ranks share cores, that calls wait for a turn is what some candidates take.
    const bool drops_longest = !shares_cores() && given_ >= fewest_to_drop_one;
    values_[sample_] = drops_longest ? (sum_ - longest_) / (given_ - 1) : sum_ / given_;
}

/// Of which the last timed call is a part. One that lacks a part before it is none.
void Selector::find_sample() {
    std::size_t sample = 0;
    std::size_t call = timed_ - 1;
    auto slot = sequence_.slots().begin();
    for (; call >= slot->timed_calls(); ++slot) {
        call -= slot->timed_calls();
        sample += slot->samples();
    }
    sample += call / slot->calls_of_a_sample;
    parts_ = slot->calls_of_a_sample;
    if (sample == sample_ && given_ > 0 && given_ < parts_) return;
    sample_ = sample;
    given_ = 0;
    sum_ = longest_ = 0;
}

std::span<double> Selector::values() {
    return values_;
}

std::span<const double> Selector::samples_of(std::size_t wanted) const {
    std::size_t begin = 0;
    for (std::size_t slot = 0; slot < wanted; ++slot) {
        begin += sequence_.slots()[slot].samples();
    }
    return {values_.data() + begin, sequence_.slots()[wanted].samples()};
}

/// Of all slots in which it ran.
std::vector<double> Selector::all_samples_of(std::uint32_t candidate) const {
    std::vector<double> all;
    auto begin = values_.begin();
    for (const Slot& slot : sequence_.slots()) {
        const auto end = begin + slot.samples();
        if (slot.candidate == candidate) all.insert(all.end(), begin, end);
        begin = end;
    }
    return all;
}

bool Selector::ranks_agree() const {
    return values_[values_.size() - 2] == -values_[values_.size() - 1];
}

/// The ranks tell each other with the next agreement.
void Selector::agreement_took(double seconds) {
    values_[values_.size() - maxima] = -seconds;
}

void Selector::stand_aside() {
    phase_ = Phase::aside;
    winner_ = 0;
    idle();
}

void Selector::idle() {
    start(Purpose::idle, {{winner_, std::numeric_limits<std::uint32_t>::max(), 0, 0}});
}

void Selector::agreed() {
    if (!ranks_agree()) return stand_aside();
    if (phase_ == Phase::aside || purpose_ == Purpose::idle) return idle();
    agreement_cost_ = std::max(0.0, -values_[values_.size() - maxima]);
    if (give_up_failed()) return;
    account();
    switch (purpose_) {
        case Purpose::first:
            after_first();
            break;
        case Purpose::look:
            after_look();
            break;
        case Purpose::round:
            after_round();
            break;
        case Purpose::wait:
            learn_on();
            break;
        case Purpose::trial:
            after_trial();
            break;
        case Purpose::window:
        case Purpose::confirm:
            after_window();
            break;
        case Purpose::check:
            after_check();
            break;
        case Purpose::doubt:
        case Purpose::challenge:
            after_doubt_or_challenge();
            break;
        case Purpose::proof:
            after_proof();
            break;
        case Purpose::idle:
            break;
    }
}

/// Strikes out candidates that did not run when they were asked to; true if there were any.
bool Selector::give_up_failed() {
    bool any = false;
    const std::uint32_t before = winner_;
    for (std::size_t slot = 0; slot < sequence_.slots().size(); ++slot) {
        const std::span<const double> samples = samples_of(slot);
        if (std::ranges::none_of(samples, [](double sample) { return sample < 0; })) continue;
        any = true;
        const std::uint32_t candidate = sequence_.slots()[slot].candidate;
        if (candidate == 0) continue;
        states_[candidate].seconds = std::numeric_limits<double>::infinity();
        states_[candidate].contender = false;
        states_[candidate].fate = Fate::failed;
        std::erase(looks_, candidate);
        if (candidate == winner_) winner_ = 0;
    }
    if (!any) return false;
    if (phase_ == Phase::starting) {
        start_first();
    } else if (phase_ == Phase::learning) {
        learn_on();
    } else if (winner_ != before) {
        switched_at_ = sequence_.calls();
        states_[0].fate = Fate::winner;
        begin_running();
    } else {
        start_window();
    }
    return true;
}

/// Books the calls since the last agreement: what the application spent, what learning cost beyond
/// the best that was known, what ran in place of the host's own.
void Selector::account() {
    double best = std::numeric_limits<double>::infinity();
    for (const State& state : states_) {
        if (!std::isnan(state.seconds)) best = std::min(best, state.seconds);
    }
    // Of candidates that take turns, what all turns of one say.
    std::vector<double> of_turns;
    if (purpose_ >= Purpose::check && purpose_ <= Purpose::proof) {
        for (const std::uint32_t candidate : checked_) {
            of_turns.push_back(median(all_samples_of(candidate)));
        }
        best = std::ranges::min(of_turns);  // now
    }
    for (std::size_t slot = 0; slot < sequence_.slots().size(); ++slot) {
        const Slot& calls = sequence_.slots()[slot];
        const std::span<const double> samples = samples_of(slot);
        // Of two or three calls one with a slow rank would be most of the account.
        const double typical = !of_turns.empty()    ? of_turns[slot % of_turns.size()]
                               : samples.empty()    ? expected_seconds(calls.candidate)
                               : samples.size() < 4 ? std::ranges::min(samples)
                                                    : median(samples);
        total_seconds_ += calls.calls * typical;
        // The host's own calls save nothing, whatever they take now.
        if (calls.candidate != 0) {
            replaced_calls_ += calls.calls;
            replaced_seconds_ += calls.calls * typical;
        }
        states_[calls.candidate].samples_ever += static_cast<std::uint32_t>(samples.size());
        if (calls.candidate != winner_ || phase_ != Phase::running) {
            // To connect the ranks, first calls may take a hundred times what an earlier run knows
            // of them; that is not done for learning.
            const bool is_first = purpose_ == Purpose::first;
            const double taken = is_first ? std::fmin(typical, states_[0].seconds) : typical;
            if (std::isfinite(best)) {
                learning_seconds_ += calls.calls * std::max(0.0, taken - best);
            }
        }
    }
    agreement_seconds_ += agreement_cost_;
    const bool is_watching = purpose_ == Purpose::window || purpose_ == Purpose::trial;
    if (!is_watching) learning_seconds_ += agreement_cost_;
}

std::uint32_t Selector::best_known() const {
    std::uint32_t best = 0;
    for (std::uint32_t i = 1; i < states_.size(); ++i) {
        if (states_[i].contender && states_[i].seconds < states_[best].seconds) best = i;
    }
    return best;
}

/// Of the best known, and of what is in use, which need not contend.
double Selector::least_known_seconds() const {
    return std::fmin(states_[best_known()].seconds, states_[winner_].seconds);
}

double Selector::seconds_of_hopeless_host() const {
    const bool is_hopeless = states_[0].seconds > host_hopeless_factor * least_known_seconds();
    return is_hopeless && phase_ != Phase::aside ? states_[0].seconds : unknown;
}

Decision Selector::decision() const {
    Decision decision;
    decision.winner = candidate_name(winner_);
    decision.calls = sequence_.calls();
    decision.switched_at = switched_at_;
    decision.relearnings = relearnings_;
    decision.common_drifts = common_drifts_;
    decision.learning_seconds = learning_seconds_;
    // While a check is due, what is known of others is older than what the winner takes now.
    const double best = is_check_due() ? compared_seconds_ : as_kept(winner_);
    const double change = is_check_due() ? accepted_seconds_ / compared_seconds_ : 1;
    const double measured_host = std::isnan(states_[0].seconds) ? expected_seconds(0) : as_kept(0);
    // By what is known of the host's own in the end, because its first samples are few; and rather
    // too little than too much.
    const double host = std::fmin(measured_host, probed_host_) * change;
    const double saved = std::isnan(host) ? 0 : replaced_calls_ * host - replaced_seconds_;
    decision.saved_seconds = saved - agreement_seconds_;
    double second = std::numeric_limits<double>::infinity();
    for (std::uint32_t i = 0; i < states_.size(); ++i) {
        const State& state = states_[i];
        const double seconds = i == winner_ ? best : as_kept(i);
        const double measured = state.fate == Fate::failed ? unknown : seconds;
        decision.candidates.push_back(
            {candidate_name(i), state.predicted, measured, state.samples_ever, state.fate});
        if (i != winner_ && !std::isnan(measured)) second = std::min(second, measured);
    }
    if (std::isfinite(second) && best > 0) decision.margin = (second - best) / best;
    return decision;
}

}  // namespace tasuki
