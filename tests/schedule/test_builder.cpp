#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>
#include <string>

#include "schedule/builder.hpp"

namespace tasuki {
namespace {

/// What the builder says when `append` adds a step that it must refuse.
template <typename Append>
std::string refusal(Append append) {
    ProgramBuilder program(4, 4);
    program.reserve_scratch(2);
    program.copy(input(0), output(0));
    try {
        append(program);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Builder, NumbersStepsAndKeepsWhatTheyComeAfter) {
    ProgramBuilder builder(2, 2);
    EXPECT_EQ(builder.recv(1, output(1)), 0U);
    EXPECT_EQ(builder.copy(input(0), output(0)), 1U);
    EXPECT_EQ(builder.send(1, output(0, 2), {0, 1}), 2U);
    EXPECT_EQ(builder.reduce(input(0), Operand::right, output(1), {2}), 3U);
    const Program program = builder.finish();
    ASSERT_EQ(program.steps.size(), 4U);
    EXPECT_EQ(program.after(program.steps[0]).size(), 0U);
    const auto after = program.after(program.steps[2]);
    EXPECT_EQ(std::vector<StepId>(after.begin(), after.end()), (std::vector<StepId>{0, 1}));
    EXPECT_EQ(program.after(program.steps[3]).front(), 2U);
    EXPECT_EQ(program.steps[3].from_operand, Operand::right);
    EXPECT_EQ(program.steps[2].from, output(0, 2));
    EXPECT_EQ(program.input_chunks, 2);
    EXPECT_EQ(program.output_chunks, 2);
}

TEST(Builder, IsEmptyAfterwards) {
    ProgramBuilder builder(1, 1);
    builder.copy(input(0), output(0));
    builder.finish();
    EXPECT_EQ(builder.finish(), Program{});
}

TEST(Builder, CountsMessagesByPeerAndDirection) {
    ProgramBuilder builder(1, 8);
    for (std::int32_t round = 0; round < 3; ++round) {
        builder.send(5, input(0));
        builder.recv(5, output(round));
        builder.send(1'000'000, nothing());
    }
    const Program program = builder.finish();
    for (std::size_t step = 0; step < program.steps.size(); ++step) {
        EXPECT_EQ(program.steps[step].message, static_cast<std::int32_t>(step / 3)) << step;
    }
}

TEST(Builder, HandsOutScratch) {
    ProgramBuilder builder(1, 1);
    EXPECT_EQ(builder.reserve_scratch(3), 0);
    EXPECT_EQ(builder.reserve_scratch(0), 3);
    EXPECT_EQ(builder.reserve_scratch(2), 3);
    EXPECT_THROW(builder.reserve_scratch(-1), std::invalid_argument);
    EXPECT_THROW(builder.reserve_scratch(std::numeric_limits<std::int32_t>::max()),
                 std::invalid_argument);
    EXPECT_EQ(builder.finish().scratch_chunks, 5);
}

TEST(Builder, RefusesChunksOutsideTheirBuffer) {
    EXPECT_EQ(refusal([](auto& program) { program.send(1, input(3, 2)); }),
              "step 1: chunks 3 to 4 of the input, which has 4");
    EXPECT_EQ(refusal([](auto& program) { program.recv(1, scratch(2)); }),
              "step 1: chunks 2 to 2 of the scratch, which has 2");
    EXPECT_EQ(refusal([](auto& program) {
                  program.copy(input(0, 2), strided(Space::output, 0, 2, 1, -1));
              }),
              "step 1: chunks -1 to 0 of the output, which has 4");
}

TEST(Builder, RefusesRegionsThatOverflow) {
    constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
    const Region huge{Space::input, most, most, 1, most};
    EXPECT_NE(refusal([&](auto& program) { program.copy(huge, huge); }), "accepted");
    const Region zero_block{Space::input, 0, 2, 0, 1};
    EXPECT_EQ(refusal([&](auto& program) { program.copy(zero_block, output(0, 2)); }),
              "step 1: a region needs a positive size");
}

TEST(Builder, RefusesToWriteTheInput) {
    EXPECT_EQ(refusal([](auto& program) { program.recv(1, input(0)); }),
              "step 1: the input is never written");
}

TEST(Builder, RefusesMessagesWithGaps) {
    EXPECT_EQ(refusal([](auto& program) { program.send(1, strided(Space::input, 0, 2, 1, 2)); }),
              "step 1: a message is one contiguous run of chunks; pack it with a copy");
}

TEST(Builder, RefusesCopiesOfUnequalSize) {
    EXPECT_EQ(refusal([](auto& program) { program.copy(input(0, 2), output(0, 3)); }),
              "step 1: from has 2 chunks and to has 3");
}

TEST(Builder, RefusesToComeAfterALaterStep) {
    EXPECT_EQ(refusal([](auto& program) { program.copy(input(0), output(0), {1}); }),
              "step 1: must come after step 1");
}

TEST(Builder, RefusesAPeerBelowZero) {
    EXPECT_EQ(refusal([](auto& program) { program.send(-1, input(0)); }),
              "step 1: rank -1 cannot be a peer");
}

}  // namespace
}  // namespace tasuki
