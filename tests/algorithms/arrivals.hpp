// Who has come to a barrier.
#pragma once

#include <atomic>
#include <cstdint>
#include <gtest/gtest.h>
#include <thread>

namespace tasuki::test {

/// Counts the ranks that have come. The last rank comes late, so that who does not wait is seen.
class Arrivals {
  public:
    explicit Arrivals(std::int32_t ranks) : ranks_(ranks) {}

    void arrive(std::int32_t rank) {
        for (int i = 0; i < 20 && rank == ranks_ - 1; ++i) std::this_thread::yield();
        arrived_.fetch_add(1, std::memory_order_relaxed);
    }
    /// After the barrier.
    void expect_all() const { EXPECT_EQ(arrived_.load(std::memory_order_relaxed), ranks_); }

  private:
    std::int32_t ranks_;
    std::atomic<std::int32_t> arrived_ = 0;
};

}  // namespace tasuki::test
