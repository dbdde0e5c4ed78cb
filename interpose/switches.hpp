// What is on: the one branch that a call costs when nothing is.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "calls/collectives.hpp"

namespace tasuki::interpose {

struct Wish;

/// All that a call of one collective asks for first, in one line of the processor's cache.
struct Switch {
    std::atomic<bool> is_on{false};
    std::atomic<const Wish*> wish{nullptr};  // nullptr: the host's own
};
extern constinit Switch switches[collectives];

/// Whether a mode of reproducibility is on, at least on some communicator.
extern constinit std::atomic<bool> some_mode_is_on;

/// Whether non-blocking and persistent reductions may be Tasuki's: the one branch that they cost
/// otherwise.
inline bool may_request_reductions() {
    return __builtin_expect(some_mode_is_on.load(std::memory_order_relaxed), 0);
}

/// How often something has changed that calls which are known (quiet_calls.hpp) rely on: what they
/// run by, what they were agreed to be, or what was made for them, which may be gone.
extern constinit std::atomic<std::uint64_t> known_call_changes;
inline void forget_known_calls() {
    known_call_changes.fetch_add(1, std::memory_order_acq_rel);
}

/// Whether calls of `collective` may be Tasuki's: MPI runs, and something other than the host's own
/// algorithm was asked for, or a report.
inline bool is_on(Collective collective) {
    return __builtin_expect(
        switches[static_cast<std::size_t>(collective)].is_on.load(std::memory_order_relaxed), 0);
}

}  // namespace tasuki::interpose
