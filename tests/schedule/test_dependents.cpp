#include <gtest/gtest.h>

#include "schedule/builder.hpp"
#include "schedule/dependents.hpp"

namespace tasuki {
namespace {

TEST(Dependents, ReverseAfter) {
    ProgramBuilder builder(1, 1);
    builder.copy(nothing(), nothing());
    builder.copy(nothing(), nothing(), {0});
    builder.copy(nothing(), nothing(), {1, 0});
    const Program program = builder.finish();
    const Dependents dependents(program);
    const auto of = [&](StepId step) {
        const auto steps = dependents.of(step);
        return std::vector<StepId>(steps.begin(), steps.end());
    };
    EXPECT_EQ(of(0), (std::vector<StepId>{1, 2}));
    EXPECT_EQ(of(1), (std::vector<StepId>{2}));
    EXPECT_TRUE(of(2).empty());
}

}  // namespace
}  // namespace tasuki
