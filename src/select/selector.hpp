// Selection for one key: grouping, learning, running.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "select/call_sequence.hpp"
#include "select/candidate_list.hpp"
#include "select/decision.hpp"
#include "select/drift_test.hpp"
#include "select/selection_settings.hpp"

namespace tasuki {

enum class Phase : std::uint8_t {
    starting,  ///< the host's own runs until the ranks know that they were told the same
    learning,
    running,
    aside,  ///< the ranks were told different things: the host's own runs for good
};

std::string_view name_of(Phase phase);

/// A state machine without MPI and without a clock. For each call of the collective, on every rank:
///
///     CallPlan plan = selector.next();
///     ... run candidate plan.candidate ...
///     if (plan.timed) selector.sample(seconds that the call took on this rank);
///     if (plan.agree) {
///         ... replace selector.values() by what all ranks have: of the last `maxima` the
///             maximum, of the others the mean, the same bits on each rank ...
///         selector.agreed();
///         selector.agreement_took(seconds from the end of the call to here, on this rank);
///     }
///
/// All decisions follow from reduced values and the number of calls alone, so that all ranks make
/// them at the same call. A digest of what the ranks were told (candidates, predictions, settings,
/// decision of an earlier run) travels with every agreement; the first comes before anything but
/// the host's own algorithm has run.
///
/// The mean over the ranks is taken of every sample, before any statistic. It adds up to what the
/// program waits for: the sum over the calls of the ranks' mean is the mean of the ranks' sums, as
/// it is not for the maximum, which charges an algorithm for a rank that came early and lost
/// nothing by it. A rank that is slow now and then spoils single samples, which a robust statistic
/// forgives, but not the whole.
///
/// Memory: about 80 bytes a candidate, beside the list, and 2 KiB; nothing grows with the number of
/// ranks or calls.
class Selector {
  public:
    /// `known`: what an earlier run has learnt, or nullptr.
    Selector(std::shared_ptr<const CandidateList> candidates, const SelectionSettings& settings,
             const Decision* known = nullptr);
    /// Throws std::invalid_argument as CandidateList does.
    Selector(std::vector<Candidate> candidates, const SelectionSettings& settings,
             const Decision* known = nullptr)
        : Selector(std::make_shared<CandidateList>(std::move(candidates)), settings, known) {}

    /// Of the host's own, before anything else: the ranks learn that they were told the same, and
    /// about how long it takes. No more, because it may take ten times what others do.
    static constexpr std::uint32_t first_calls = 2;

    CallPlan next() {
        const CallPlan plan = sequence_.next();
        if (plan.timed) ++timed_;
        return plan;
    }
    /// Whether next() would give `candidate` and ask nothing.
    bool is_quiet(std::uint32_t candidate) const { return sequence_.is_quiet(candidate); }
    /// Whether it would give it and ask for the time of the call, and nothing else. Of the first
    /// call of a candidate it is not said.
    bool only_times(std::uint32_t candidate) const { return sequence_.only_times(candidate); }
    /// Count a call in place of next() that is_quiet(), or that it only_times().
    void pass() { sequence_.pass(); }
    void pass_timed() {
        sequence_.pass_timed();
        ++timed_;
    }
    /// The seconds of a call that was to be timed. If the call did not run the candidate after all,
    /// on all ranks alike, it is not given, and the candidate will not be asked for again.
    void sample(double seconds);
    /// Of values().
    static constexpr std::size_t maxima = 3;
    std::span<double> values();
    void agreed();
    /// In place of agreed() where the ranks could not: from now on the host's own runs.
    void stand_aside();
    void agreement_took(double seconds);

    /// What the budget is reckoned from, at the last agreement; the same on all ranks.
    double total_seconds() const { return total_seconds_; }
    double learning_seconds() const { return learning_seconds_; }
    double agreement_seconds() const { return agreement_cost_; }
    /// Something else has been done that this budget is to pay for; the same on all ranks.
    void charge(double seconds) { learning_seconds_ += seconds; }

    Phase phase() const { return phase_; }
    /// The candidate that runs when nothing is tried out.
    std::uint32_t current() const { return winner_; }
    /// Whether a winner was chosen by measuring, here or in an earlier run; it stays what
    /// decision() tells while others are measured again.
    bool has_chosen() const { return has_chosen_ && phase_ != Phase::aside; }
    /// Seconds of the host's own where they are many times those of the best that is known; else
    /// unknown. All ranks say the same.
    double seconds_of_hopeless_host() const;
    Decision decision() const;

  private:
    /// The host's own is looked at once more when the first others have been, because its first
    /// calls pay for what the host sets up; unless they took this many times the best.
    static constexpr double host_hopeless_factor = 4;
    /// Seconds of the host's own, of which calls that take less may have been cold.
    static constexpr double short_call = 16e-6;

    enum class Purpose : std::uint8_t {
        first,
        look,
        round,
        wait,
        trial,
        window,
        confirm,
        check,
        doubt,
        challenge,
        proof,
        idle
    };

    struct State {
        double predicted = unknown;
        double seconds = unknown;        // the best that is known by measuring
        std::vector<double> samples;     // of this learning, at most about 50
        std::uint32_t measurements = 0;  // samples that `seconds` is from
        std::uint32_t samples_ever = 0;
        std::uint32_t left_out = 0;  // learnings in a row that it was left out of
        // Times that it was given up for what it took in a row, soon after it was chosen.
        std::uint32_t times_tired = 0;
        bool contender = false;
        bool is_open = false;         // a kept decision does not know it, or not for sure
        double first_look = unknown;  // that was not believed
        Fate fate = Fate::waiting;

        bool has_run() const { return !std::isnan(seconds) || !std::isnan(first_look); }
    };

    /// How much longer calls take than predicted, in the median and at least.
    struct Luck {
        double usual = 1;
        double luckiest = 1;
    };

    const std::string& candidate_name(std::uint32_t candidate) const {
        return (*candidates_)[candidate].name;
    }
    void start(Purpose purpose, std::vector<Slot> slots);
    void go_on_with_probes(const Decision& known);
    void start_first();
    void idle();
    void find_sample();
    /// `share`: of the shortest sample.
    std::uint32_t persistence(std::uint32_t candidate, double share = 1) const;
    bool shares_cores() const { return settings_.persistence > 1; }
    /// One alone is no sample.
    bool has_short_calls(std::uint32_t candidate) const {
        return persistence(candidate) > settings_.persistence;
    }
    /// So many samples after one that is dropped, of as many calls each as the persistence.
    Slot timed_run(std::uint32_t candidate, std::uint32_t samples) const;
    std::span<const double> samples_of(std::size_t slot) const;
    std::vector<double> all_samples_of(std::uint32_t candidate) const;
    bool ranks_agree() const;
    bool give_up_failed();
    void account();

    void after_first();
    bool promises_much_over(double host_seconds) const;
    std::vector<std::uint32_t> worth_measuring();
    void begin_learning(std::vector<std::uint32_t> candidates);
    void cut_looks();
    void learn_on();
    std::uint32_t calls_of_look(std::uint32_t candidate) const;
    void look_at_next();
    void after_look();
    void give_up_hopeless();
    std::vector<std::uint32_t> contenders() const;
    void measure_contenders(const std::vector<std::uint32_t>& contenders);
    void after_round();
    double error_of_difference(const State& a, const State& b) const;
    bool is_settled(const std::vector<std::uint32_t>& contenders) const;
    bool has_to_prove_itself(std::uint32_t candidate) const;
    bool is_worth_leaving(std::uint32_t present, std::uint32_t other) const;
    void use_best_known();
    void choose_winner();
    double set_up_to_pay(std::uint32_t candidate) const;
    void start_within_budget(Purpose purpose, std::vector<Slot> slots);

    void begin_running();
    void run_what_was_kept();
    void start_window();
    std::uint32_t timed_in_row() const;
    bool plan_trial();
    Slot row_of(std::uint32_t candidate, std::uint32_t calls) const;
    void after_trial();
    bool is_slow_in_a_row(double seconds_in_turns);
    void go_on_after(double winner_in_turns);
    void after_window();
    bool is_worth_a_check(double seconds) const;
    void check_winner(double seconds);
    /// Of a winner that has become faster since it was compared with others.
    bool is_check_due() const { return accepted_seconds_ < compared_seconds_; }
    bool compares_once_more();
    bool doubts_the_winner();
    void after_probe(std::size_t slot);
    static bool is_same(double change);
    std::vector<std::uint32_t> controls(double winner_seconds) const;
    void begin_check(Purpose purpose, std::vector<std::uint32_t> controls, double seconds_in_a_row);
    void compare(Purpose purpose);
    Slot even_run(std::uint32_t candidate) const;
    std::vector<double> seconds_of_checked() const;
    void take_checked();
    void after_check();
    void after_doubt_or_challenge();
    void after_proof();
    void scale_unchecked(double change);
    double expected_of_others();
    void learn_again(double least_of_others = unknown);
    Slot probe_of(std::uint32_t candidate) const;
    std::uint32_t due_probe();
    std::uint32_t next_probe();
    bool can_pay_for_probe(std::uint32_t candidate) const;
    bool can_pay_for_check(double seconds) const;
    double left_of_budget() const;
    double floor_call() const;

    const Luck& luck_of(std::uint32_t candidate) const {
        return (*candidates_)[candidate].by_host ? luck_by_host_ : luck_by_memory_;
    }
    bool shows_luck(std::uint32_t candidate, bool by_host) const;
    bool any_shows_luck(bool by_host) const;
    Luck luck_among(bool by_host, const Luck& without_any) const;
    double expected_seconds(std::uint32_t candidate) const;
    void take_for_today(double seconds, bool is_doubtful);
    void take_by_winner(double seconds);
    double as_kept(std::uint32_t candidate) const;
    void take_as_kept(double change);
    void calibrate();
    std::uint32_t best_known() const;
    double least_known_seconds() const;
    std::uint32_t calls_that_pay_for(std::uint32_t samples) const;
    std::uint32_t calls_that_pay(double seconds, double share) const;
    std::uint32_t longest_window() const;

    SelectionSettings settings_;
    std::shared_ptr<const CandidateList> candidates_;
    std::vector<State> states_;
    std::uint64_t digest_ = 0;
    bool warm_ = false;
    bool has_chosen_ = false;
    bool was_kept_ = false;  // it was chosen by an earlier run, and is compared with what that left

    Phase phase_ = Phase::starting;
    std::uint32_t winner_ = 0;

    Purpose purpose_ = Purpose::first;
    alignas(64) CallSequence sequence_;  // in one line of the processor's cache with what follows
    std::vector<double> values_;         // a value for each sample, then three for each agreement
    std::size_t timed_ = 0;              // timed calls since the last agreement
    std::size_t last_given_ = 0;         // the last of these of which the time was given,
    std::size_t sample_ = 0;             // the sample that it is a part of,
    std::uint32_t parts_ = 0;            // which has so many,
    std::uint32_t given_ = 0;            // of which so many were given,
    double sum_ = 0;                     // that have taken so many seconds,
    double longest_ = 0;                 // and the longest of them

    // So many times what an earlier run has measured is taken to be, until the winner has shown it.
    double today_ = unknown;
    Luck luck_by_host_;
    Luck luck_by_memory_;
    std::vector<std::uint32_t> looks_;  // candidates still to be looked at
    bool are_first_looks_ = true;       // of all
    std::uint32_t rounds_ = 0;
    std::uint32_t calls_of_rounds_ = 0;  // in samples, with those that were dropped
    bool is_again_ = false;              // what was in use has become slower than others
    double noise_ = 0;                   // standard deviation of one timing, as a share of it
    double reference_noise_ = 0;         // the same of the last reference, which is of many

    DriftTest drift_;
    bool reconfirmed_ = false;
    std::uint32_t tried_calls_ = 0;      // in its last row, since it was chosen; 0: none
    double compared_seconds_ = unknown;  // the winner's first reference since it was, with others,
    double accepted_seconds_ = unknown;  // and what it took since, if that was less
    double seconds_in_a_row_ = 0;        // that made the winner be looked into
    std::uint32_t good_windows_ = 0;     // since it was chosen
    std::uint32_t slow_rows_ = 0;        // that were, without a good one between them
    Suspicion suspicion_;
    std::uint32_t window_ = 0;
    std::uint32_t windows_since_probe_ = 0;
    std::uint32_t probe_ = 0;
    double left_by_earlier_runs_ = 0;  // seconds, of their budgets
    std::vector<std::uint32_t> checked_;

    // Of the rank that came last: the others wait for what it does, agreement or not. After calls
    // in which ranks run ahead, as roots of broadcasts do, that is most of what they see.
    double agreement_cost_ = 0;
    double total_seconds_ = 0;  // in the collective
    double learning_seconds_ = 0;
    double replaced_calls_ = 0;    // of the host's own
    double replaced_seconds_ = 0;  // that those took which ran instead
    double agreement_seconds_ = 0;
    double probed_host_ = unknown;  // what its own takes, by probes since the last learning
    std::uint64_t switched_at_ = 0;
    std::uint32_t relearnings_ = 0;
    std::uint32_t common_drifts_ = 0;
};

}  // namespace tasuki
