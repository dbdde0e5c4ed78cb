// Ranks in cyclic order as runs of neighbours.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schedule/builder.hpp"

namespace tasuki {

struct RankRun {
    std::int32_t first;
    std::int32_t count;
};

/// `count` ranks from `first` on, after the last of which comes rank 0: one or two runs.
std::vector<RankRun> cyclic_runs(std::int32_t first, std::int32_t count, std::int32_t ranks);

/// The runs of neighbours in an ascending list.
std::vector<RankRun> runs_of(std::span<const std::int32_t> ascending);

/// Scratch for the blocks of these ranks, whose sizes have the ranks' numbers; the first chunk.
std::int32_t reserve_blocks(ProgramBuilder& program, std::span<const RankRun> runs);

}  // namespace tasuki
