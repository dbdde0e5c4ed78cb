#pragma once

#include <array>
#include <atomic>
#include <climits>
#include <span>

namespace tasuki::interpose {

/// What some ranks find, and one of them tells: the lowest of those that have found it in a
/// communicator of which nobody has heard it told before. Ranks agree on that beside something else
/// that they agree on.
class ToldByOne {
  public:
    static constexpr int nobody = -1;

    struct Outcome {
        int finder = nobody;  ///< the lowest rank that has found it
        bool speaks = false;  ///< whether this rank tells it now
    };

    /// For maximum_of_all().
    std::array<int, 2> offer(bool has_found, int rank) const {
        return {has_found ? INT_MAX - rank : 0, is_told_.load(std::memory_order_relaxed)};
    }
    /// What follows from the maxima of what all ranks have offered.
    Outcome conclude(std::span<const int, 2> maxima, int rank) {
        if (maxima[1] != 0) is_told_ = true;
        if (maxima[0] == 0) return {};
        const int finder = INT_MAX - maxima[0];
        is_told_ = true;
        return {finder, maxima[1] == 0 && finder == rank};
    }

    /// Whether it is for the one that asks to tell it, who has nobody left to agree with.
    bool is_first() { return !is_told_.exchange(true); }

  private:
    std::atomic<bool> is_told_ = false;  // as far as this process has heard
};

}  // namespace tasuki::interpose
