// Which steps wait for a step: `after`, the other way round.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schedule/program.hpp"

namespace tasuki {

/// Memory: 4 bytes a step and 4 a dependency.
class Dependents {
  public:
    explicit Dependents(const Program& program);

    /// The steps that come after `step`, in ascending order.
    std::span<const StepId> of(StepId step) const {
        return {steps_.data() + begin_[step], begin_[step + 1] - begin_[step]};
    }

  private:
    std::vector<std::uint32_t> begin_;  // [steps + 1] into steps_
    std::vector<StepId> steps_;
};

}  // namespace tasuki
