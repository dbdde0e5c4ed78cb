#pragma once

#include <string>

#include "interpose/process.hpp"

namespace tasuki::interpose {

/// Compares the settings of all ranks of MPI_COMM_WORLD. If they differ, or are alike and
/// `problem` says what is wrong with them, one rank says so and the run ends with exit code 2. If a
/// rank does not take part within the start timeout, most likely because it runs without Tasuki,
/// the run is aborted.
///
/// Returns whether all ranks say that they `may_have_threads`.
///
/// Cost: one all-reduce of 24 bytes; nothing is kept.
bool agree_or_end(const Process& process, const std::string& problem, bool may_have_threads);

}  // namespace tasuki::interpose
