#include "algorithms/rank_runs.hpp"

#include <algorithm>

namespace tasuki {

std::vector<RankRun> cyclic_runs(std::int32_t first, std::int32_t count, std::int32_t ranks) {
    const std::int32_t before_the_end = std::min(count, ranks - first);
    std::vector<RankRun> runs;
    if (before_the_end > 0) runs.push_back({first, before_the_end});
    if (before_the_end < count) runs.push_back({0, count - before_the_end});
    return runs;
}

std::vector<RankRun> runs_of(std::span<const std::int32_t> ascending) {
    std::vector<RankRun> runs;
    for (const std::int32_t rank : ascending) {
        if (!runs.empty() && runs.back().first + runs.back().count == rank) {
            ++runs.back().count;
        } else {
            runs.push_back({rank, 1});
        }
    }
    return runs;
}

std::int32_t reserve_blocks(ProgramBuilder& program, std::span<const RankRun> runs) {
    const std::int32_t first = program.reserve_scratch(0);
    for (const RankRun& run : runs) program.reserve_scratch(run.count, run.first);
    return first;
}

}  // namespace tasuki
