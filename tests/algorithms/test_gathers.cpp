// What the column `gathers` of the table says, against the programs.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "algorithms/algorithm.hpp"

namespace tasuki {
namespace {

constexpr std::int32_t ranks = 9;

Schedule schedule_of(const Algorithm& row) {
    return row.schedule({ranks, 0, row.default_parameters(), Placement::one_node(ranks)});
}

/// In how many places of scratch a rank receives something as large as one chunk of the result.
std::size_t rooms_of(const Program& program) {
    const std::vector<std::int32_t> sizes = program.scratch_size_numbers();
    std::map<std::int32_t, std::set<std::int32_t>> rooms;
    for (const Step& step : program.steps) {
        if (step.kind != StepKind::recv || step.to.space != Space::scratch) continue;
        rooms[sizes[step.to.first]].insert(step.to.first);
    }
    std::size_t most = 0;
    for (const auto& [size, places] : rooms) most = std::max(most, places.size());
    return most;
}

bool reduces(const Program& program) {
    return std::ranges::any_of(program.steps,
                               [](const Step& step) { return step.kind == StepKind::reduce; });
}

TEST(Gathers, WhereARankHasARoomForEachOperand) {
    for (const Algorithm& row : all_algorithms()) {
        SCOPED_TRACE(std::string(row.collective) + "/" + std::string(row.name));
        const Instance instance{ranks, 0, row.default_parameters(), Placement::one_node(ranks)};
        if (!row.outside_domain(instance).empty()) continue;
        const Schedule schedule = schedule_of(row);
        std::size_t most = 0;
        for (const Program& program : schedule.programs) {
            if (reduces(program)) most = std::max(most, rooms_of(program));
        }
        // Its own operand lies in the input, another where the result will be.
        EXPECT_EQ(row.gathers, most >= ranks - 2);
    }
}

// In a pass the blocks of a vector do not lie side by side.
TEST(Gathers, MessagesHaveAChunkEach) {
    for (const Algorithm& row : all_algorithms()) {
        if (!row.gathers) continue;
        for (const Program& program : schedule_of(row).programs) {
            for (const Step& step : program.steps) {
                EXPECT_LE(step.from.count, 1) << row.collective << "/" << row.name;
                EXPECT_LE(step.to.count, 1) << row.collective << "/" << row.name;
            }
        }
    }
}

}  // namespace
}  // namespace tasuki
