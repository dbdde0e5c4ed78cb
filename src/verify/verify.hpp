// Proves that a schedule keeps its contract, without running it on data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "contract/contract.hpp"
#include "schedule/schedule.hpp"

namespace tasuki {

/// One thing that is wrong, told so that it can be found: rank, step and chunk where they apply.
struct Finding {
    std::int32_t rank = 0;
    std::optional<StepId> step;
    std::optional<std::int32_t> chunk;
    std::string message;  ///< a whole sentence that names rank, step and chunk
};

/// What a verification found; empty is a proof.
struct Verdict {
    std::vector<Finding> findings;

    bool holds() const { return findings.empty(); }
    /// The first findings, one a line.
    std::string text(std::size_t most = 10) const;
};

/// Runs the schedule on symbols. Proves for every rank:
///   - sends and receives match one to one, with equal numbers of chunks, which are equally large;
///   - it ends, even if every send completes only when its receive has been posted;
///   - no two unordered steps touch the same chunk when one of them writes it;
///   - no scratch or output chunk is read before it is written, nothing is reduced into a chunk
///     that holds nothing;
///   - every output chunk holds what the contract says;
///   - for a barrier, that it is one.
///
/// Cost: O(steps) for matching and the run; hazards need O(steps^2 / 64) bits a rank in the worst
/// case, so this is for tests and tools, never for a run.
Verdict verify(const Schedule& schedule, const Contract& contract);

}  // namespace tasuki
