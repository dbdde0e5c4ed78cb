// Machines that the tests of prediction share.
#pragma once

#include "predict/machine_parameters.hpp"

namespace tasuki {

/// One kind of pair only: latency 2 us, overheads 0.3 us, 1 GB/s.
inline MachineParameters uniform_machine() {
    LinkParameters link{2e-6, PiecewiseLinear::line(3e-7, 1e-10),
                        PiecewiseLinear::line(3e-7, 1e-10), PiecewiseLinear::line(1e-6, 1e-9)};
    return {"uniform", link, link, {}};
}

/// Pairs on one node are about four times as fast as pairs across nodes.
inline MachineParameters two_level_machine() {
    MachineParameters machine = uniform_machine();
    machine.fingerprint = "two-level";
    machine.on_node = {3e-7, PiecewiseLinear::line(2e-7, 5e-11), PiecewiseLinear::line(2e-7, 5e-11),
                       PiecewiseLinear::line(4e-7, 2e-10)};
    machine.copy = PiecewiseLinear::line(5e-8, 1e-10);
    return machine;
}

}  // namespace tasuki
