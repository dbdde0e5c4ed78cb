#include <gtest/gtest.h>

#include "algorithms/algorithm.hpp"

namespace tasuki {
namespace {

/// In a row that does not need sizes, a rank's messages hold one block each, which it gives or gets
/// itself; or, where the ranks agree on a capacity, room of that.
void expect_own_blocks(const Algorithm& row, const Schedule& schedule) {
    for (const Program& program : schedule.programs) {
        EXPECT_EQ(program.has_tails, row.needs_capacity);
        EXPECT_TRUE(program.scratch_sizes.empty());
        EXPECT_TRUE(row.needs_capacity || program.scratch_chunks == 0);
        for (const Step& step : program.steps) {
            const Region& moved = step.kind == StepKind::send ? step.from : step.to;
            if (!step.is_message() || moved.space == Space::scratch) continue;
            EXPECT_EQ(moved.space, step.kind == StepKind::send ? Space::input : Space::output);
            EXPECT_EQ(moved.count, 1);
            EXPECT_EQ(program.moves_tails(step), row.needs_capacity);
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
            expect_own_blocks(row, schedule);
        }
    }
}

}  // namespace
}  // namespace tasuki
