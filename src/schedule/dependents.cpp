#include "schedule/dependents.hpp"

namespace tasuki {

Dependents::Dependents(const Program& program)
    : begin_(program.steps.size() + 1, 0), steps_(program.after_steps.size()) {
    const std::size_t steps = program.steps.size();
    for (StepId earlier : program.after_steps) ++begin_[earlier + 1];
    for (std::size_t step = 0; step < steps; ++step) begin_[step + 1] += begin_[step];
    std::vector<std::uint32_t> filled(begin_.begin(), begin_.end());
    for (std::size_t step = 0; step < steps; ++step) {
        for (StepId earlier : program.after(program.steps[step])) {
            steps_[filled[earlier]++] = static_cast<StepId>(step);
        }
    }
}

}  // namespace tasuki
