// Calls that are left to the host and of which selection asks nothing: most calls of a program
// whose host is the best already. Where such a call comes again, nothing is looked up again.
#pragma once

#include <cstdint>
#include <functional>

#include "calls/collectives.hpp"
#include "interpose/communicator.hpp"
#include "interpose/device_memory.hpp"
#include "interpose/last_call.hpp"
#include "interpose/selection.hpp"
#include "interpose/switches.hpp"
#include "transport/host/mpi_header.hpp"

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

/// One call of an entry point on one thread, while it comes again.
class QuietCall {
  public:
    /// Whether the call is the host's, and selection has counted it: then there is nothing else to
    /// do. Otherwise it must be handled, and what is found out about it noted.
    bool passes(Collective collective, const CallArguments& arguments) {
        if (!(arguments == arguments_)) [[unlikely]] {
            arguments_ = arguments;
            size_ = nullptr;
            return false;
        }
        if (size_ == nullptr || switches_ != switch_changes.load(std::memory_order_relaxed) ||
            generation_ != Communicator::generation_now() ||
            Communicator::of_last_call(arguments.communicator) != communicator_ ||
            communicator_->may_meet_device_memory() || communicator_->agrees_in_next_call() ||
            device_runtime_is_loaded() || !size_->pass_to_host()) {
            return false;
        }
        communicator_->begin_call();
        note_call(collective, nullptr, "");
        return true;
    }

    /// The call went to the host, because `size` says so.
    void note(Communicator& communicator, SelectedSize& size) {
        const bool is_known = size_ == &size &&
                              switches_ == switch_changes.load(std::memory_order_relaxed) &&
                              generation_ == Communicator::generation_now();
        if (!is_known && may_be_kept()) remember(communicator, size);
    }

  private:
    bool may_be_kept() const;
    void remember(Communicator& communicator, SelectedSize& size);

    CallArguments arguments_;
    Communicator* communicator_ = nullptr;
    SelectedSize* size_ = nullptr;  // nullptr: not known to be quiet
    std::uint64_t generation_ = 0;  // another communicator may come to lie where this one was
    std::uint32_t switches_ = 0;
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

/// Of the call that this thread handles; nullptr where it has arrays of arguments. The entry points
/// set it.
extern constinit thread_local QuietCall* quiet_call;

}  // namespace tasuki::interpose
