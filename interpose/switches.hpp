// What is on: the one branch that a call costs when nothing is.
#pragma once

#include <atomic>

#include "interpose/handlers.hpp"

namespace tasuki::interpose {

extern constinit std::atomic<bool> collective_is_on[collectives];

/// Whether calls of `collective` may be Tasuki's: MPI runs, and something other than the host's own
/// algorithm was asked for.
inline bool is_on(Collective collective) {
    return __builtin_expect(
        collective_is_on[static_cast<std::size_t>(collective)].load(std::memory_order_relaxed), 0);
}

}  // namespace tasuki::interpose
