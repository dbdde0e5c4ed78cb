// Machines that exist only as numbers.
#pragma once

#include <span>
#include <string_view>

#include "predict/machine_parameters.hpp"
#include "schedule/placement.hpp"

namespace tasuki {

struct DescribedMachine {
    std::string_view name;
    std::string_view sentence;
    Placement placement;
    MachineParameters parameters;
};

/// Four with the ranks and placements of those of Nanri et al. 2009, which gives no parameters:
/// ours are of the order that machines of their kind and time had. And a recent one of 1,024 ranks.
/// What must carry over to real ones is the shape.
std::span<const DescribedMachine> described_machines();

}  // namespace tasuki
