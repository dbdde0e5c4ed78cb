// Calls of which selection asks nothing: most calls of a program whose algorithms are found. Where
// such a call comes again, nothing is looked up again: it is left to the host, or posted.
#pragma once

#include <cstdint>
#include <functional>

#include "calls/collectives.hpp"
#include "execute/copy_chunks.hpp"
#include "execute/posted_round.hpp"
#include "interpose/communicator.hpp"
#include "interpose/device_memory.hpp"
#include "interpose/last_call.hpp"
#include "interpose/selection.hpp"
#include "interpose/switches.hpp"
#include "interpose/turn.hpp"
#include "transport/host/mpi_header.hpp"
#include "transport/memory/boards.hpp"

namespace tasuki::interpose {

/// What decides about a call, where it has no arrays of arguments. Of buffers only whether they are
/// NULL or MPI_IN_PLACE counts.
struct CallArguments {
    MPI_Comm communicator{};
    MPI_Count counts[2]{};
    MPI_Datatype types[2]{};
    MPI_Op operation{};
    int root = 0;
    std::uint32_t special_buffers = 0;

    friend bool operator==(const CallArguments&, const CallArguments&) = default;
};

/// For CallArguments::special_buffers: two bits a buffer.
inline std::uint32_t special(const void* buffer) {
    return (buffer == nullptr ? 1U : 0U) | (buffer == MPI_IN_PLACE ? 2U : 0U);
}

/// The buffers of a call, as the program gives them. Where it gives one, both are that one.
struct CallBuffers {
    const void* send = nullptr;
    void* receive = nullptr;
};

/// What a posted call does, all of it: a round between the program's own buffers.
struct KnownPost {
    PostedRound* round = nullptr;  ///< nullptr: not known
    memory::Boards* boards = nullptr;
    const Combine* combine = nullptr;
    std::int64_t unit_bytes = 0;
    std::int32_t scratch_units = 0;
    bool reads = false;         ///< from CallBuffers::send
    bool writes = false;        ///< to CallBuffers::receive
    std::uint64_t dropped = 0;  ///< PreparedPrograms::dropped() while `round` is there
};

/// One call of an entry point on one thread, while it comes again.
class QuietCall {
  public:
    /// Whether the call is one that is known, and selection has counted it: then it is to be
    /// posted, if is_posted(), or else the host's. Otherwise it must be handled, between begin()
    /// and end().
    bool comes_again(Collective collective, const CallArguments& arguments) {
        if (!(arguments == arguments_)) [[unlikely]] {
            arguments_ = arguments;
            communicator_ = nullptr;
            return false;
        }
        if (communicator_ == nullptr || !is_up_to_date() ||
            Communicator::of_last_call(arguments.communicator) != communicator_ ||
            communicator_->may_meet_device_memory() || communicator_->agrees_in_next_call() ||
            device_runtime_is_loaded() || (size_ != nullptr && !size_->pass(candidate_))) {
            return false;
        }
        communicator_->begin_call();
        note_call(collective, ran_, "");
        return true;
    }
    bool is_posted() const { return post_.round != nullptr; }
    /// What the MPI call returns.
    int post(Collective collective, const CallBuffers& buffers);

    inline void begin(const CallBuffers& buffers);
    static inline void end();

    /// In a call that is handled: all that it does is that `post.round` has run on these.
    void note_post(const KnownPost& post, const Buffer& input, const Buffer& output);
    /// The call has gone by, as `turn` says, of which selection asked nothing more.
    void note(Communicator& communicator, const Turn& turn) {
        const bool is_known = communicator_ == &communicator && size_ == turn.size &&
                              candidate_ == turn.plan.candidate &&
                              ran_ == (turn.choice->algorithm == nullptr ? nullptr : turn.choice) &&
                              is_up_to_date();
        if (!is_known) remember(communicator, turn);
    }

  private:
    bool is_up_to_date() const {
        return switches_ == switch_changes.load(std::memory_order_relaxed) &&
               generation_ == Communicator::generation_now() &&
               (post_.round == nullptr || communicator_->programs().dropped() == post_.dropped);
    }
    bool may_be_kept() const;
    void remember(Communicator& communicator, const Turn& turn);

    CallArguments arguments_;
    Communicator* communicator_ = nullptr;  // nullptr: not known to be quiet
    SelectedSize* size_ = nullptr;          // nullptr: there is nothing to select
    const Choice* ran_ = nullptr;           // nullptr: the host's own
    std::uint64_t generation_ = 0;  // another communicator may come to lie where this one was
    std::uint32_t switches_ = 0;
    std::uint32_t candidate_ = 0;
    KnownPost post_;
    // Of the call under way:
    CallBuffers buffers_;
    KnownPost seen_;
};

/// The last calls of one entry point on one thread: loops have several in turn, of other sizes or
/// roots.
class QuietCalls {
  public:
    /// Where a call with these arguments is kept, if it is.
    QuietCall& of(const CallArguments& arguments) {
        std::uint64_t mixed = std::hash<MPI_Comm>{}(arguments.communicator);
        for (const MPI_Count count : arguments.counts) mixed = mix(mixed, count);
        return calls_[mix(mixed, arguments.root) >> (64 - places_bits)];
    }

  private:
    static constexpr int places_bits = 2;

    static std::uint64_t mix(std::uint64_t before, MPI_Count number) {
        constexpr std::uint64_t golden_ratio = 0x9e3779b97f4a7c15;
        return (before + static_cast<std::uint64_t>(number)) * golden_ratio;
    }

    QuietCall calls_[1 << places_bits];
};

/// Of the call that this thread handles; nullptr where it has arrays of arguments.
extern constinit thread_local QuietCall* quiet_call;

inline void QuietCall::begin(const CallBuffers& buffers) {
    buffers_ = buffers;
    seen_.round = nullptr;
    quiet_call = this;
}

inline void QuietCall::end() {
    quiet_call = nullptr;
}

}  // namespace tasuki::interpose
