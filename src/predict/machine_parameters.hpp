// What the model knows of a machine: P-LogP, apart for pairs on one node and across nodes.
#pragma once

#include <cstdint>
#include <string>

#include "predict/piecewise_linear.hpp"
#include "schedule/placement.hpp"

namespace tasuki {

/// P-LogP after Kielmann, Bal and Verstoep (2000) for one kind of pair. All times are seconds.
///
/// An idle pair takes latency + gap(m) for a message of m bytes, of which the sender is busy
/// send_overhead(m) at the beginning and the receiver receive_overhead(m) at the end. A rank sends
/// (and receives) its next message not earlier than gap(m) after the last.
struct LinkParameters {
    double latency = 0;
    PiecewiseLinear send_overhead;
    PiecewiseLinear receive_overhead;
    PiecewiseLinear gap;

    friend bool operator==(const LinkParameters&, const LinkParameters&) = default;
};

/// From how many bytes on the memory transport takes another way: see memory::Settings. 0 where it
/// was not measured, and what is built in holds.
struct MemoryThresholds {
    std::int64_t warm_bytes = 0;
    std::int64_t shared_bytes = 0;

    friend bool operator==(const MemoryThresholds&, const MemoryThresholds&) = default;
};

/// Measure `off_node` with all ranks of a node sending at once: ranks share their node's adapter,
/// and an idle machine would promise each of them all of it.
struct MachineParameters {
    /// What was measured where: MPI library and version, node type, placement, fabric setting.
    /// One line; parameters with another fingerprint are another machine's.
    std::string fingerprint;
    LinkParameters on_node;
    LinkParameters off_node;
    /// Moving m bytes inside one rank; no part of P-LogP, but what Bruck pays for few messages.
    PiecewiseLinear copy;
    /// Where memory carries messages: of what is posted, once for all who read it (OneRound). Has
    /// no gap.
    LinkParameters posts = {};
    MemoryThresholds memory = {};

    friend bool operator==(const MachineParameters&, const MachineParameters&) = default;
};

}  // namespace tasuki
