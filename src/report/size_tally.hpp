// What one rank counts of the calls of one collective and size class on a communicator.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "report/call_history.hpp"
#include "report/record.hpp"

namespace tasuki::report {

/// Used by one thread at a time, as MPI asks of the calls on a communicator.
class SizeTally {
  public:
    /// A call that ran by `ran`, which lives as long as the process: nullptr is the host's own.
    void add(const Choice* ran, std::int64_t bytes, std::uint64_t ticks) {
        if (uses_.empty() || uses_[last_].ran != ran) [[unlikely]]
            find(ran);
        Use& use = uses_[last_];
        ++use.calls;
        use.ticks += ticks;
        bytes_ += static_cast<double>(bytes);
        history_.add(last_, ticks);
    }

    /// With a course for who is rank 0 of its communicator.
    SizeRecord record(double seconds_per_tick, bool with_course) const;

  private:
    struct Use {
        const Choice* ran;
        std::uint64_t calls;
        std::uint64_t ticks;
    };

    void find(const Choice* ran);

    std::vector<Use> uses_;
    std::uint32_t last_ = 0;
    double bytes_ = 0;
    CallHistory history_;
};

}  // namespace tasuki::report
