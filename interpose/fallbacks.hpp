// Nothing falls back silently: what was asked for and did not run, and why.
#pragma once

#include <string>

#include "algorithms/algorithm.hpp"

namespace tasuki::interpose {

/// By every rank of a communicator of `ranks` ranks, `rank` there. Rank 0 of MPI_COMM_WORLD says
/// the first of each kind at once; communicators that begin with another rank are counted, and with
/// TASUKI_VERBOSE each rank that a communicator begins with says the first of each kind instead.
void note_fallback(const Choice& wanted, int rank, int ranks, const std::string& reason);

/// At MPI_Finalize, by all ranks of MPI_COMM_WORLD: what only other ranks met.
void report_fallbacks();

}  // namespace tasuki::interpose
