#include <gtest/gtest.h>

#include "algorithms/algorithm.hpp"

namespace tasuki {
namespace {

/// In a row that does not need sizes, a rank's messages hold one block each, which it gives or gets
/// itself.
void expect_own_blocks(const Schedule& schedule) {
    for (const Program& program : schedule.programs) {
        EXPECT_EQ(program.scratch_chunks, 0);
        for (const Step& step : program.steps) {
            if (step.kind == StepKind::send) {
                EXPECT_EQ(step.from.space, Space::input);
                EXPECT_EQ(step.from.count, 1);
            } else if (step.kind == StepKind::recv) {
                EXPECT_EQ(step.to.count, 1);
            }
        }
    }
}

TEST(KnownSizes, RowsThatNeedNoneMoveBlocksStraight) {
    for (const Algorithm& row : all_algorithms()) {
        if (row.collective != "gather" && row.collective != "scatter" &&
            row.collective != "alltoallv") {
            continue;
        }
        SCOPED_TRACE(std::string(row.collective) + "/" + std::string(row.name));
        const Instance instance{7, 2, row.default_parameters(), Placement::one_node(7)};
        const Schedule schedule = row.schedule(instance);
        if (row.needs_sizes) {
            EXPECT_TRUE(std::ranges::any_of(schedule.programs, [](const Program& program) {
                return program.scratch_chunks > 0;
            }));
        } else {
            expect_own_blocks(schedule);
        }
    }
}

}  // namespace
}  // namespace tasuki
