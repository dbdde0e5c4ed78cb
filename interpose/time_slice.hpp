// How long this thread keeps a core that others want, too.
#pragma once

#include <cstdint>

namespace tasuki::interpose {

/// The shortest and the longest that Linux knows, in nanoseconds.
inline constexpr std::uint64_t shortest_time_slice = 100'000;
inline constexpr std::uint64_t longest_time_slice = 100'000'000;

/// Asks the scheduler for slices of so many nanoseconds where the present ones are longer, for this
/// thread and those that it starts later. What share of a core each gets stays as it is; who waits
/// for the core has it sooner, and who wakes need not wait until the slice of another is over. So a
/// message, also one of the host's, waits a tenth as long where a stranger keeps the core.
///
/// Linux has such slices from 6.12 on, and needs no privilege for them. Elsewhere, for threads with
/// another policy, and where the call is denied, this does nothing: nothing depends on it.
void shorten_time_slice(std::uint64_t nanoseconds);

}  // namespace tasuki::interpose
