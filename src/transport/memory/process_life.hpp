// Whether the process of another rank is still there.
#pragma once

#include <cstdint>
#include <optional>

namespace tasuki::memory {

/// When a process began, in the system's ticks since it was booted (proc(5), starttime): it tells a
/// process from a later one that has got its number.
std::optional<std::uint64_t> start_of(std::int32_t process);

/// Whether the process that began then still runs; 0: not known. False also for one that has ended
/// and that nobody has asked for yet. Costs some system calls.
bool is_alive(std::int32_t process, std::uint64_t started);

}  // namespace tasuki::memory
