// The form in which machine parameters are kept and shown.
#pragma once

#include <string>
#include <string_view>

#include "predict/machine_parameters.hpp"

namespace tasuki {

/// Lines of words:
///
///     tasuki-plogp 1
///     fingerprint Open MPI 5.0.3, 8x4
///     on-node latency 3.1e-07
///     on-node send-overhead 0:1.2e-07 1024:2.5e-07
///     ... receive-overhead, gap, and the same with off-node
///     copy 0:2e-08 1048576:0.0001
///     memory warm-bytes 1048576
///     end
///
/// Of the memory transport, also shared-bytes, only what was measured: at least a
/// page. Sizes are bytes, times seconds; numbers read back to the same bits.
std::string machine_text(const MachineParameters& machine);

/// Reads machine_text(). Throws std::invalid_argument that names the line and what was expected,
/// and tells a newer version from damage.
MachineParameters read_machine(std::string_view text);

}  // namespace tasuki
