// What must hold before a schedule can be run on symbols at all.
#pragma once

#include <vector>

#include "contract/contract.hpp"
#include "verify/symbolic_run.hpp"
#include "verify/verify.hpp"

namespace tasuki {

/// Programs that do not have the contract's shape, steps that name chunks, ranks or steps that do
/// not exist.
std::vector<Finding> find_malformed(const Schedule& schedule, const Contract& contract);

/// Messages that nothing meets, or that meet one of another number of chunks.
std::vector<Finding> find_unmatched(const Schedule& schedule);

/// Messages, copies and reductions between chunks that need not be equally large: both ends have
/// the size of the same number. What is received or copied may also go into a single chunk that
/// can hold any, and be copied from there.
std::vector<Finding> find_unequal(const Schedule& schedule, const Contract& contract);

/// Ranks that may end before some other rank has begun, for a contract that synchronises. `run`
/// must have ended. Cost: O(steps * ranks / 64), as much memory.
std::vector<Finding> find_unsynchronised(const Schedule& schedule, const SymbolicRun& run);

/// Pairs of steps of one rank that may run at the same time and touch the same chunk, one of them
/// writing, and steps that do so alone. A send reads its region until it has completed, a recv may
/// write its region from the start. Of each pair the first chunk is reported.
///
/// Cost: O(chunks touched), plus O(steps^2 / 64) for a rank with pairs that are ordered by way of
/// other steps only.
std::vector<Finding> find_hazards(const Schedule& schedule);

}  // namespace tasuki
