#include "algorithms/canonical_sum.hpp"

namespace tasuki {

Partial sum_canonically(ProgramBuilder& program, std::vector<Partial> parts) {
    const std::size_t count = parts.size();
    for (std::size_t size = 1; size < count; size *= 2) {
        for (std::size_t first = 0; first + size < count; first += 2 * size) {
            Partial& left = parts[first];
            const Partial& right = parts[first + size];
            const std::vector<StepId> after = joined(left.after, right.after);
            if (left.region.space == Space::input) {
                left = {right.region,
                        {program.reduce(left.region, Operand::left, right.region, after)}};
            } else {
                left.after = {program.reduce(right.region, Operand::right, left.region, after)};
            }
        }
    }
    return parts[0];
}

}  // namespace tasuki
