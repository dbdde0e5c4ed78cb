// The clock that a recorded call asks twice.
#pragma once

#include <chrono>
#include <cstdint>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace tasuki::report {

/// By the system's clock.
inline std::uint64_t nanoseconds_now() {
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch() /
                                      std::chrono::nanoseconds(1));
}

/// Goes forward evenly, in a unit of its own. Where processors have a counter that all cores share
/// it costs a third of what the system's clock does.
inline std::uint64_t ticks_now() {
#if defined(__x86_64__)
    return __rdtsc();
#elif defined(__aarch64__)
    std::uint64_t ticks;
    asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return nanoseconds_now();
#endif
}

/// Finds out how long a tick is, from the time that passes while it lives.
class TickLength {
  public:
    double seconds_passed() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
    }
    /// The better the longer ago this was made.
    double seconds() const {
        const std::uint64_t passed = ticks_now() - ticks_;
        return passed == 0 ? 0 : seconds_passed() / static_cast<double>(passed);
    }

  private:
    std::uint64_t ticks_ = ticks_now();
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace tasuki::report
