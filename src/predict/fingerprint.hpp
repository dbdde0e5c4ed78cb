// What P-LogP parameters depend on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "schedule/placement.hpp"

namespace tasuki {

/// Where parameters were measured, or where they are wanted.
struct Fingerprint {
    std::string library;  ///< "Open MPI v5.0.11"
    std::string node;     ///< the kind of processor
    std::int32_t cores = 1;
    std::int32_t nodes = 1;
    std::int32_t ranks_per_node = 1;  ///< the most on a node
    std::string fabric;               ///< settings that choose a transport, "default" without any

    /// Ranks that share cores wait for each other, which no parameter measured without that tells.
    bool oversubscribed() const { return ranks_per_node > cores; }

    /// One line, as read_fingerprint() reads it back:
    /// "Open MPI v5.0.11 | AMD EPYC 7B13 | 2 cores | 1x2 ranks | default fabric".
    std::string text() const;

    friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

/// Throws std::invalid_argument that says what was expected.
Fingerprint read_fingerprint(std::string_view text);

/// That of a run on this node: the processor from /proc/cpuinfo, all its cores (not only those that
/// this process is bound to), the fabric from the environment. `library_version` is what
/// MPI_Get_library_version() tells.
Fingerprint fingerprint_of_run(std::string_view library_version, const Placement& placement);

}  // namespace tasuki
