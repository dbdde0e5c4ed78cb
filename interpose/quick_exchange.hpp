#pragma once

#include <array>

#include "predict/quick_measurement.hpp"
#include "schedule/placement.hpp"
#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// Whether some pair of ranks is on a node, and across nodes: what QuickMeasurement is told.
std::array<bool, 2> pairs_of(const Placement& placement);

/// What this rank has seen of a step.
struct Exchanged {
    double one_way = 0;  ///< seconds that a message took; 0 where `leads` is not
    bool leads = false;  ///< the first rank of a pair, which took the time
    double seconds = 0;  ///< that the step took
};

/// All pairs of a kind at once: neighbours on a node, or ranks of neighbouring nodes; who has none
/// waits. `is_patient`: ranks share cores, and the mean counts, turns of the scheduler among it;
/// else the shortest does. `communicator` is one of ours, of ranks that are placed so. Collective.
/// Throws TransportError.
Exchanged exchange(const QuickStep& step, const Placement& placement, MPI_Comm communicator,
                   int rank, bool is_patient);

}  // namespace tasuki::interpose
