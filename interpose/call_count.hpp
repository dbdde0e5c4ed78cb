// How many calls have begun, and whether to look for device memory in the next one.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

namespace tasuki::interpose {

/// In which calls of a communicator its ranks look for device memory follows from how many there
/// were: all ranks count the same.
class CallCount {
  public:
    /// Of calls that have no communicator, until there were 2^32 - 1.
    static constexpr CallCount without_looks() {
        CallCount count;
        count.looks_from_ = std::numeric_limits<std::uint32_t>::max();
        return count;
    }

    void count() { ++calls_; }
    std::uint32_t calls() const { return calls_; }
    bool looks_for_devices_in_next_call() const { return calls_ >= looks_from_; }
    void look_in_every_call() { looks_from_ = 0; }
    /// At calls 2, 4, 8, ...
    void look_now_and_then() { looks_from_ = 2 * std::bit_floor(std::max(calls_, 1U)) - 1; }

  private:
    std::uint32_t calls_ = 0;
    std::uint32_t looks_from_ = 0;  // the number of calls from which on they look
};

}  // namespace tasuki::interpose
