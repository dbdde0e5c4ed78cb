#include <gtest/gtest.h>

#include "schedule/builder.hpp"
#include "schedule/same_steps.hpp"
#include "schedule/sends_first.hpp"

namespace tasuki {
namespace {

TEST(SendsFirst, LeaveWhatWaitsBehindWhatItWaitsFor) {
    ProgramBuilder builder(2, 3);
    const StepId received = builder.recv(1, output(1));
    builder.send(2, output(1), {received});
    builder.copy(input(0), output(0));
    builder.send(2, input(1));
    builder.send(1, input(0));
    const Program program = builder.finish();
    const Program changed = with_sends_first(program);
    ASSERT_EQ(changed.steps.size(), 5U);
    EXPECT_EQ(changed.steps[0].from, input(1));
    EXPECT_EQ(changed.steps[1].from, input(0));
    EXPECT_EQ(changed.steps[2].kind, StepKind::recv);
    EXPECT_EQ(changed.steps[3].from, output(1));
    EXPECT_EQ(changed.after(changed.steps[3]).front(), 2U);
    EXPECT_EQ(changed.steps[4].kind, StepKind::copy);
    EXPECT_TRUE(have_same_steps(program, changed));
}

}  // namespace
}  // namespace tasuki
