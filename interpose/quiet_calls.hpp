// Calls of which selection asks nothing: most calls of a program whose algorithms are found. Where
// such a call comes again, nothing is looked up again: it is left to the host, or run.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "calls/collectives.hpp"
#include "interpose/array_arguments.hpp"
#include "interpose/call_count.hpp"
#include "interpose/communicator.hpp"
#include "interpose/device_buffers.hpp"
#include "interpose/known_blocks.hpp"
#include "interpose/known_call.hpp"
#include "interpose/last_call.hpp"
#include "interpose/own_arithmetic.hpp"
#include "interpose/places.hpp"
#include "interpose/selection.hpp"
#include "interpose/selection_clock.hpp"
#include "interpose/switches.hpp"
#include "interpose/turn.hpp"
#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

struct Work;

/// A call on one thread, while it comes again. What most calls ask for lies in two lines of the
/// processor's cache.
class alignas(64) QuietCall {
  public:
    QuietCall() = default;
    /// With these arguments, of which nothing is known yet.
    explicit QuietCall(const CallArguments& arguments) : arguments_(arguments) {}

    /// Whether what is to be done is known, and selection asks nothing: then it is to pass(), and
    /// to be run(), if is_ours(), or else the host's; unless it is_uneven(), which must be bound()
    /// first. `given`: its own arguments, of which who calls knows some where this is compiled.
    /// `arrays`: nothing, or a function that gives CallArrays, which few calls need. Calls nothing,
    /// so that who calls it has nothing to keep. What is known is none of a process with a device
    /// runtime: a look is only needed where there may be one now.
    template <typename... Arrays>
    bool passes(const CallArguments& given, const Arrays&... arrays) const {
        return is_known(given) && !has_new_library() && is_quiet() &&
               has_noted_counts(given, arrays...);
    }
    /// What ran need not be noted: see QuietCalls::passing().
    void pass(const CallArguments& given) {
        if (size_ != nullptr) size_->pass();
        count(given);
    }
    /// The same with that look, and whether or not selection asks how long it takes. If not, it
    /// must be handled, between begin() and end(). `data`: nothing, or of a call that has arrays
    /// functions that give its CallBuffers and its CallArrays. If it is_timed() it is to be
    /// run_and_tell(), or the host's within a CallTiming.
    template <typename... Data>
    bool comes_again(const Data&... data) {
        return is_known(arguments_) && !device_runtime_is_loaded() && goes_by(data...);
    }
    bool is_ours() const { return run_.machine != nullptr; }
    bool is_uneven() const { return run_.is_uneven; }
    /// Whether the program of one that is_uneven() goes between these.
    bool bound(const CallBuffers& buffers, const CallArrays& arrays) const {
        return binds(run_, *communicator_, buffers, arrays);
    }
    /// What the MPI call returns.
    int run(CallBuffers buffers);
    /// The same, and tells selection how long it took if that has asked for it.
    int run_and_tell(const CallBuffers& buffers);

    void begin(const CallBuffers& buffers, const CallArrays& arrays = {});
    static void end();
    /// Whether such calls may be known at all.
    bool may_be_kept() const;
    /// Whether `run` serves such a call of `communicator`, whose arrays KnownBlocks are then bound
    /// to.
    bool binds(const KnownRun& run, Communicator& communicator, const CallBuffers& buffers,
               const CallArrays& arrays) const;
    /// As KnownRun::element_bytes has them.
    void note_elements(KnownRun& run) const;

    /// The call that is handled has gone by, as `turn` says, of which selection asked nothing more.
    void note(Communicator& communicator, const Turn& turn) {
        const bool is_known = is_up_to_date() && communicator_ == &communicator &&
                              size_ == turn.size && candidate_ == turn.plan.candidate &&
                              ran_ == ran_by(turn) && has_noted_call_in_hand();
        if (!is_known) remember(communicator, turn);
    }
    /// The call that is handled is the host's, because with these arguments it moves nothing. Only
    /// before Communicator::begin_call(): ranks that remember such a call do not count it.
    void note_nothing(const char* reason);

  private:
    friend class QuietCalls;
    friend class CallTiming;
    friend LastCall last_call_of(Collective collective);
    static constexpr std::uint64_t never = ~std::uint64_t{0};

    /// Whether selection asks nothing, or only how long the call takes, which then begins here: to
    /// read its arrays is a part of it.
    template <typename... Data>
    bool goes_by(const Data&... data) {
        const bool asks_nothing = is_quiet();
        if (!asks_nothing) {
            if (!size_->only_times(candidate_)) return false;
            began_ = selection_clock();
        }
        if (!has_noted(data...)) return false;
        if (asks_nothing) {
            pass(arguments_);
        } else {
            is_timed_ = true;
            count(arguments_);
        }
        note_call(arguments_.collective(), ran_, reason_);
        return true;
    }
    bool is_quiet() const { return size_ == nullptr || size_->is_quiet(candidate_); }
    static const Choice* ran_by(const Turn& turn) {
        return turn.choice->algorithm == nullptr ? nullptr : turn.choice;
    }
    bool is_known(const CallArguments& given) const {
        return is_up_to_date() && !agrees_in_next_call(given) &&
               !calls_->looks_for_devices_in_next_call();
    }
    void count(const CallArguments& given) {
        if (agrees(given)) agreed_size(given).count();
        calls_->count();
    }
    AgreedSize& agreed_size(const CallArguments& given) const {
        return communicator_->agreed_size(given.collective());
    }
    bool agrees(const CallArguments& given) const { return given.agrees_about_sizes() && agrees_; }
    bool agrees_in_next_call(const CallArguments& given) const {
        return agrees(given) && agreed_size(given).is_due_next();
    }
    bool is_up_to_date() const {
        return changes_ == known_call_changes.load(std::memory_order_acquire);
    }
    bool has_noted() const { return true; }
    /// Whether it is known for what is in these arrays; one of ours is bound to them then. Once
    /// is_known().
    template <typename Buffers, typename Arrays>
    bool has_noted(const Buffers& buffers, const Arrays& arrays) const {
        return has_noted_counts(arguments_, arrays) && (!is_uneven() || bound(buffers(), arrays()));
    }
    static bool has_noted_counts(const CallArguments& given) { return !given.has_block_counts(); }
    template <typename Arrays>
    bool has_noted_counts(const CallArguments& given, const Arrays& arrays) const {
        return !given.has_block_counts() || has_noted(arrays().counts[1]);
    }
    bool has_noted(const Integers& block_counts) const {
        if (block_counts.is_missing()) return false;
        std::int64_t sum = 0;
        for (int rank = 0; rank < communicator_->ranks(); ++rank) {
            sum += block_counts[rank];
            // Of few ranks: the vectors that compilers make of it cost more than they save.
            asm("" : "+r"(sum));
        }
        return sum == block_counts_ && (!is_ours() || may_be_ours(block_counts));
    }
    /// Whether one of ours is for such counts, too.
    bool may_be_ours(const Integers& block_counts) const {
        bool is_even = true;
        for (int rank = 0; rank < communicator_->ranks(); ++rank) {
            if (block_counts[rank] < 0) return false;
            is_even = is_even && block_counts[rank] == block_counts[0];
        }
        // Between equal chunks it is for equal blocks.
        return is_even || run_.is_uneven;
    }
    bool has_noted_call_in_hand() const;
    void remember(Communicator& communicator, const Turn& turn);

    CallArguments arguments_;
    std::uint64_t changes_ = never;  // known_call_changes while it is known to be quiet

    CallCount* calls_ = nullptr;
    SelectedSize* size_ = nullptr;   // nullptr: there is nothing to select
    const Choice* ran_ = nullptr;    // nullptr: the host's own
    std::int64_t block_counts_ = 0;  // their sum, on which the size depends that is selected for
    std::uint32_t candidate_ = 0;
    bool agrees_ = false;                   // the ranks agree on sizes now and then: see AgreedSize
    bool is_timed_ = false;                 // the call that comes again now, until CallTiming knows
    Communicator* communicator_ = nullptr;  // nullptr: nothing is known, or that it moves nothing
    KnownRun run_;
    std::uint64_t began_ = 0;  // by selection_clock(), if is_timed_
    const char* reason_ = "";  // as note_call() has it
};

/// Tells selection how long a call took that comes again, if it has asked for it; only then the
/// call counts there, for which other ranks that are in it need not wait. Without a destructor: see
/// ReportedCall.
class CallTiming {
  public:
    explicit CallTiming(QuietCall& call)
        : size_(std::exchange(call.is_timed_, false) ? call.size_ : nullptr), began_(call.began_) {}
    void end() {
        if (size_ == nullptr) [[likely]]
            return;
        const OwnArithmetic own;
        const double seconds = seconds_since(began_);
        size_->pass_timed();
        if (!has_failed_) size_->sample(seconds);
    }
    CallTiming(const CallTiming&) = delete;
    CallTiming& operator=(const CallTiming&) = delete;

    void note_failure() { has_failed_ = true; }

  private:
    SelectedSize* size_;
    std::uint64_t began_;
    bool has_failed_ = false;
};

/// The last calls of a thread: loops have several in turn, of other sizes, roots or communicators.
///
/// Memory: 16 KiB for each thread that calls collectives, away from its stack.
class QuietCalls {
  public:
    static QuietCalls& of_thread() {
        if (of_this_thread == nullptr) [[unlikely]]
            make();
        return *of_this_thread;
    }

    /// The collective's last call, if it was quiet, is with these arguments and
    /// QuietCall::passes(); else nullptr.
    template <typename... Arrays>
    static QuietCall* passing_once_more(const CallArguments& arguments, const Arrays&... arrays) {
        QuietCall& last = *last_quiet_calls[static_cast<std::size_t>(arguments.collective())];
        return last.arguments_.are(arguments) && last.passes(arguments, arrays...) ? &last
                                                                                   : nullptr;
    }
    /// The one with these arguments, if it QuietCall::passes(); else nullptr. It is the
    /// collective's last call then.
    template <typename... Arrays>
    static QuietCall* passing(const CallArguments& arguments, const Arrays&... arrays) {
        QuietCalls* const calls = of_this_thread;
        if (calls == nullptr) [[unlikely]]
            return nullptr;
        for (QuietCall& call : calls->places_[place_of(arguments)]) {
            if (!call.arguments_.are(arguments)) continue;
            if (!call.passes(arguments, arrays...)) return nullptr;
            last_quiet_calls[static_cast<std::size_t>(arguments.collective())] = &call;
            return &call;
        }
        return nullptr;
    }
    /// The one that was passing, for a function that has the arguments of the MPI call and no more.
    static void hand_over(QuietCall& passing) { of_this_thread->passing_ = &passing; }
    static QuietCall& handed_over() { return *of_this_thread->passing_; }

    /// Where a call with these arguments is kept, or is to be.
    QuietCall& of(const CallArguments& arguments) {
        const std::size_t place = place_of(arguments);
        for (QuietCall& call : places_[place]) {
            if (call.arguments_.are(arguments)) return call;
        }
        return replace(place, arguments);
    }

    /// Of the call that is bound to arrays now.
    KnownBlocks& blocks() { return blocks_; }
    /// In place of a communicator's, of calls that move nothing.
    CallCount& uncounted() { return uncounted_; }

  private:
    static constexpr int place_bits = 5;
    static constexpr std::size_t calls_of_place = 2;

    static std::size_t place_of(const CallArguments& arguments) {
        Places places;
        places.add(arguments.shape).add(std::hash<MPI_Comm>{}(arguments.communicator));
        for (const MPI_Count count : arguments.counts) places.add(count);
        return places.of(place_bits);
    }
    QuietCall& replace(std::size_t place, const CallArguments& arguments);

    static void make();

    static constinit thread_local QuietCalls* of_this_thread;
    QuietCall places_[1 << place_bits][calls_of_place];
    std::uint8_t next_[1 << place_bits]{};  // to be replaced
    KnownBlocks blocks_;
    CallCount uncounted_;
    QuietCall* passing_ = nullptr;
};

/// The call that this thread handles.
struct CallInHand {
    QuietCall* quiet = nullptr;  ///< nullptr: none
    CallBuffers buffers;
    CallArrays arrays;
    KnownRun run;           ///< all that it did, if that is known
    bool is_timed = false;  ///< by selection
    // By selection_clock():
    std::uint64_t began = 0;          ///< the call,
    std::uint64_t chosen = 0;         ///< when the algorithm was chosen,
    std::uint64_t running_since = 0;  ///< before a machine ran; both if `is_timed`

    /// When the algorithm is chosen, and will run.
    void begin_timing(bool timed) {
        is_timed = timed;
        if (timed) chosen = selection_clock();
    }
    /// Before a machine runs.
    void begin_run() {
        if (is_timed) [[unlikely]]
            running_since = selection_clock();
    }
    /// All that the call did on `communicator` is that `what.machine` has run on this.
    void note_run(const KnownRun& what, const Work& work, Communicator& communicator);
    /// Since when, by selection_clock(), the call that was timed from `asked` on has taken what it
    /// would take if it came again: what is known is not handled any more, neither what we run nor
    /// the host's calls, with which others are compared.
    std::uint64_t began_of_same(std::uint64_t asked) const;
    /// Whether the call is one of ours that will be known when it comes again.
    bool is_known_run() const {
        return quiet != nullptr && run.machine != nullptr && quiet->may_be_kept();
    }
};
extern constinit thread_local CallInHand call_in_hand;

inline void QuietCall::begin(const CallBuffers& buffers, const CallArrays& arrays) {
    call_in_hand.quiet = this;
    call_in_hand.buffers = buffers;
    call_in_hand.arrays = arrays;
    call_in_hand.run.machine = nullptr;
    call_in_hand.began = selection_clock();
}

inline bool QuietCall::has_noted_call_in_hand() const {
    return has_noted([] { return call_in_hand.buffers; }, [] { return call_in_hand.arrays; });
}

inline void QuietCall::end() {
    call_in_hand.quiet = nullptr;
}

}  // namespace tasuki::interpose
