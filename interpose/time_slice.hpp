// How long this thread keeps a core that others want, too.
#pragma once

#include <cstdint>

namespace tasuki::interpose {

/// The shortest and the longest that Linux knows, in nanoseconds.
inline constexpr std::uint64_t shortest_time_slice = 100'000;
inline constexpr std::uint64_t longest_time_slice = 100'000'000;

/// Asks the scheduler for slices of so many nanoseconds where the present ones are longer, for this
/// thread and the threads and processes that it starts later. What share of a core each gets stays
/// as it is; but who wakes, or is due, need not wait until the longer slice of another is over.
///
/// Linux has such slices from 6.12 on, and needs no privilege for them. Before, for threads with
/// another policy than SCHED_OTHER, and where the call is refused, this does nothing: nothing
/// depends on it.
void shorten_time_slice(std::uint64_t nanoseconds);

}  // namespace tasuki::interpose
