// What it costs one rank to predict all that selection tries for a collective.
#pragma once

#include <string>
#include <vector>

#include "quartiles.hpp"
#include "schedule/schedule.hpp"

namespace tasuki {

struct SetCost {
    std::string collective;
    std::string placement;
    std::size_t candidates;  ///< with the host's own, each other one by host and by memory
    Quartiles making;
    Quartiles predicting;  ///< one size

    /// What an undisturbed machine takes.
    double fastest() const { return making.fastest + predicting.fastest; }
};

/// One for each collective of the table. CPU seconds of `repetitions`.
std::vector<SetCost> costs_of_sets(const Instance& instance, const std::string& placement,
                                   int repetitions);

}  // namespace tasuki
