// Which of another process's memory was reached by remote copies.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace tasuki::memory {

/// The last ranges of it, as many as a collective has buffers, so that what a program uses again
/// and again, or part by part, is asked for once.
class ReachedMemory {
  public:
    bool holds(std::uint64_t address, std::uint64_t bytes) const {
        return std::ranges::any_of(ranges_, [&](const Range& one) {
            return address >= one.begin && address + bytes <= one.end;
        });
    }
    void add(std::uint64_t address, std::uint64_t bytes) {
        const std::uint64_t end = address + bytes;
        for (Range& one : ranges_) {
            if (address > one.end || end < one.begin) continue;
            one = {std::min(one.begin, address), std::max(one.end, end)};
            return;
        }
        ranges_[added_++ % ranges_.size()] = {address, end};
    }

  private:
    struct Range {
        std::uint64_t begin;
        std::uint64_t end;
    };

    std::array<Range, 4> ranges_{};
    std::size_t added_ = 0;
};

}  // namespace tasuki::memory
