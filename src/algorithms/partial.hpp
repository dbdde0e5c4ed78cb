// A part of a result on its way.
#pragma once

#include <vector>

#include "schedule/builder.hpp"

namespace tasuki {

/// Chunks, and the steps after which they hold what they are meant to.
struct Partial {
    Region region;
    std::vector<StepId> after = {};
};

/// The operand that the other of two is.
inline Operand opposite(Operand operand) {
    return operand == Operand::left ? Operand::right : Operand::left;
}

/// Both lists, as the steps that a new one comes after.
inline std::vector<StepId> joined(std::vector<StepId> steps, const std::vector<StepId>& more) {
    steps.insert(steps.end(), more.begin(), more.end());
    return steps;
}

}  // namespace tasuki
