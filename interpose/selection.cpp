#include "interpose/selection.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "interpose/communicator.hpp"
#include "interpose/learnt.hpp"
#include "interpose/own_arithmetic.hpp"
#include "interpose/process.hpp"
#include "interpose/quiet_calls.hpp"
#include "interpose/run_decisions.hpp"
#include "interpose/say.hpp"
#include "interpose/selection_clock.hpp"
#include "interpose/shared_timings.hpp"

namespace tasuki::interpose {

namespace {

/// What a call takes beside what is timed, if it runs one of our algorithms by messages of the
/// host and is handled each time: where it is bound to its buffers, or where only its arrays say
/// what it moves. One that is known when it comes again takes less than when it is timed
/// (quiet_calls.hpp). All-to-all of 8 B on two ranks of Open MPI: timed 207 ns by the host's own
/// and 177 by ours, not timed 196 and 216.
constexpr double seconds_beside = 50e-9;

bool is_never_known(const Choice& choice) {
    return choice.algorithm != nullptr && choice.carrier == Carrier::host &&
           !call_in_hand.is_known_run();
}

}  // namespace

Turn SelectedSize::begin() {
    if (!selector_) [[unlikely]] {
        if (calls_ == 0) foresee_calls_before();
        if (calls_ < calls_before_learning && !selection_.communicator_.expects_long_use()) {
            ++calls_;
            Turn turn{.choice = host_or_stand_in(), .size = this};
            turn.plan.timed = true;
            turn.began = selection_clock();
            return turn;
        }
        begin_learning();
    }
    const CallPlan plan = selector_->next();
    Turn turn{.choice = candidates_->choices[plan.candidate], .size = this};
    turn.plan = plan;
    if (turn.is_watched()) turn.began = selection_clock();
    return turn;
}

void SelectedSize::end(const Turn& turn, bool ran) {
    if (turn.plan.timed && ran) {
        const OwnArithmetic own;
        const double timed = seconds_since(turn.began);
        const double seconds = is_never_known(*turn.choice) ? timed + seconds_beside : timed;
        if (selector_) {
            selector_->sample(seconds);
        } else {
            before_learning_[calls_ - 1] = seconds;
        }
    }
    if (turn.plan.agree) agree();
}

void SelectedSize::note_failure() {
    selection_.communicator_.note_failure();
}

const Choice* SelectedSize::host_or_stand_in() const {
    if (rows_.instead_of_host == nullptr) return &native_wish;
    return rows_.instead_of_host(collective_, selection_.communicator_.ranks(), bytes_,
                                 Carrier::host);
}

void SelectedSize::begin_learning() {
    Communicator& communicator = selection_.communicator_;
    selection_.prepare_agreements();
    const Foreknowledge& known = communicator.foreknowledge();
    has_memory_ = communicator.memory().get() != nullptr;
    if (!has_memory_) communicator.memory().tell_why_not();
    candidates_ = &communicator.candidates().find(communicator, collective_, rows_, bytes_,
                                                  selection_.wish_.uses_model);
    const Decision* kept =
        selection_.wish_.uses_kept_decisions ? communicator.known_decision(key()) : nullptr;
    {
        const OwnArithmetic own;
        selector_.emplace(candidates_->list, settings(), kept);
    }
    // Some hosts take 50 ms for a call there: what is known of them need not be asked again.
    if (known.oversubscribed && calls_ == calls_before_learning) learn_from_calls_before();
}

SelectionSettings SelectedSize::settings() const {
    const bool share_cores = selection_.communicator_.foreknowledge().oversubscribed;
    auto settings =
        share_cores ? SelectionSettings::where_ranks_share_cores() : SelectionSettings{};
    if (selection_.wish_.budget) settings.budget = *selection_.wish_.budget / 100.0;
    if (selection_.wish_.grouping) settings.grouping = *selection_.wish_.grouping;
    return settings;
}

void SelectedSize::foresee_calls_before() {
    const OwnArithmetic own;
    const SelectedSize* smaller = selection_.next_smaller({collective_, &rows_, bytes_});
    if (smaller == nullptr || !smaller->selector_) return;
    const double seconds = smaller->selector_->seconds_of_hopeless_host();
    if (!(seconds * calls_before_learning > seconds_to_begin)) return;
    before_learning_.fill(seconds);
    calls_ = calls_before_learning;
}

void SelectedSize::learn_from_calls_before() {
    // The last of them: they are the warmest.
    for (const double seconds : std::span(before_learning_).last(Selector::first_calls)) {
        const CallPlan plan = selector_->next();
        if (plan.timed && seconds > 0) selector_->sample(seconds);
        if (plan.agree) agree();
    }
}

/// The ranks decide from the same numbers.
void SelectedSize::agree() {
    const std::uint64_t began = selection_clock();
    try {
        share_timings(selection_.communicator_, selector_->values(), Selector::maxima);
    } catch (...) {
        selector_->stand_aside();
        throw;
    }
    const Phase before = selector_->phase();
    const double seconds = selector_->total_seconds();
    const double learning_seconds = selector_->learning_seconds();
    {
        const OwnArithmetic own;
        selector_->agreed();
        if (before == Phase::learning && selector_->phase() == Phase::running &&
            selection_.wish_.uses_kept_decisions) {
            note_decision(key(), selector_->decision());
        }
        selector_->agreement_took(seconds_since(began));
    }
    if (before != Phase::running && selector_->phase() == Phase::running) tell_winner();
    if (selection_.wish_.uses_model) {
        selection_.communicator_.note_agreement(*selector_, seconds, learning_seconds,
                                                settings().budget);
    }
    if (before != Phase::aside && selector_->phase() == Phase::aside &&
        selection_.communicator_.rank() == 0) {
        say("ranks were told different things about " + key().text() +
            "; the host MPI's own algorithm runs there");
    }
}

void SelectedSize::tell_winner() const {
    if (!process().settings.is_verbose || selection_.communicator_.rank() != 0) return;
    if (candidates_->choices.size() == 1) return;
    say_once(key().text() + " runs by " + selector_->decision().winner);
}

SelectionKey SelectedSize::key() const {
    const bool oversubscribed = selection_.communicator_.foreknowledge().oversubscribed;
    std::string name(collective_names[static_cast<std::size_t>(collective_)]);
    name += rows_.key_suffix;
    return make_key(name, bytes_, selection_.communicator_.shape(), oversubscribed, has_memory_);
}

std::string_view SelectedSize::parameters() const {
    if (candidates_ == nullptr || !selection_.wish_.uses_model) return {};
    return name_of(candidates_->source);
}

Selection::~Selection() {
    // One rank of each communicator of several: on one alone nothing is worth the wait for the
    // file.
    if (communicator_.rank() != 0 || communicator_.ranks() == 1) return;
    if (!wish_.uses_kept_decisions) return;
    const OwnArithmetic own;
    for (const auto& [unused, size] : sizes_) {
        if (size.selector() == nullptr || !size.selector()->has_chosen()) continue;
        keep(communicator_.foreknowledge().kept.fingerprint, size.key(),
             size.selector()->decision(), size.parameters());
    }
}

void Selection::prepare_agreements() {
    if (!communicator_.begins_agreements()) return;
    std::array<double, 1 + Selector::maxima> nothing{};
    share_timings(communicator_, nothing, Selector::maxima);
}

void Selection::describe(report::CommunicatorRecord& record) const {
    for (const auto& [unused, learnt] : sizes_) {
        const Selector* selector = learnt.selector();
        if (selector == nullptr) continue;
        const SelectionKey key = learnt.key();
        const auto size = std::ranges::find_if(record.sizes, [&](const report::SizeRecord& other) {
            return other.collective == key.collective && other.size == key.bytes;
        });
        if (size == record.sizes.end()) continue;
        // Another wish may have learnt it too.
        Decision decision = selector->decision();
        report::Course& course = size->course;
        if (course.decision && course.decision->calls > decision.calls) continue;
        course.decision = std::move(decision);
        course.phase = name_of(selector->phase());
        course.parameters = learnt.parameters();
    }
}

const SelectedSize* Selection::next_smaller(const Question& question) const {
    const auto found = sizes_.find(question);
    if (found == sizes_.begin()) return nullptr;
    const auto& [asked, size] = *std::prev(found);
    const auto& [collective, rows, bytes] = question;
    const bool is_alike = std::get<0>(asked) == collective && std::get<1>(asked) == rows;
    return is_alike ? &size : nullptr;
}

SelectedSize& Selection::look_up(Collective collective, std::int64_t bytes, const RowFilter& rows) {
    const std::int64_t bucket = size_bucket(bytes);
    return sizes_.try_emplace({collective, &rows, bucket}, *this, collective, bucket, rows)
        .first->second;
}

}  // namespace tasuki::interpose
