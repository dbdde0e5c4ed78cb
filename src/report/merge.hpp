// Records of several ranks, or of several communicators of one rank, become one.
#pragma once

#include "report/record.hpp"

namespace tasuki::report {

/// Adds a communicator's, or a part of its ranks'.
void add(RunRecord& run, CommunicatorRecord communicator);

/// Adds what other ranks have. Facts are those of `run`.
void add(RunRecord& run, RunRecord others);

/// Keeps RunRecord::most_communicators and most_sizes, those that took the most time, in this
/// order.
void bound(RunRecord& run);

}  // namespace tasuki::report
