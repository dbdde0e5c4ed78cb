#include <gtest/gtest.h>

#include "schedule/builder.hpp"
#include "schedule/same_steps.hpp"

namespace tasuki {
namespace {

/// An exchange with rank 1, written in one order or the other.
Program exchange(bool receives_first, std::int32_t scratch_chunks = 0) {
    ProgramBuilder program(2, 2);
    if (scratch_chunks > 0) program.reserve_scratch(scratch_chunks);
    if (receives_first) program.recv(1, output(1));
    program.send(1, input(1));
    if (!receives_first) program.recv(1, output(1));
    program.copy(input(0), output(0));
    return program.finish();
}

TEST(SameSteps, MayBeWrittenInAnyOrder) {
    EXPECT_TRUE(have_same_steps(exchange(true), exchange(true)));
    EXPECT_TRUE(have_same_steps(exchange(true), exchange(false)));
    EXPECT_TRUE(have_same_steps(exchange(true, 3), exchange(false)));
}

TEST(SameSteps, ComeAfterTheSame) {
    const auto program = [](bool waits) {
        ProgramBuilder made(1, 2);
        const StepId received = made.recv(1, output(1));
        const StepId copied = made.copy(input(0), output(0));
        if (waits) {
            made.send(1, output(0), {copied, received});
        } else {
            made.send(1, output(0), {copied});
        }
        return made.finish();
    };
    EXPECT_TRUE(have_same_steps(program(true), program(true)));
    EXPECT_FALSE(have_same_steps(program(true), program(false)));
    EXPECT_FALSE(have_same_steps(program(false), program(true)));
}

TEST(SameSteps, TellMessagesOfOnePairApart) {
    const auto program = [](std::int32_t first) {
        ProgramBuilder made(2, 2);
        made.send(1, input(first));
        made.send(1, input(1 - first));
        return made.finish();
    };
    EXPECT_TRUE(have_same_steps(program(0), program(0)));
    EXPECT_FALSE(have_same_steps(program(0), program(1)));
}

TEST(SameSteps, HaveTheSameSizesOfScratchWhereItIsUsed) {
    const auto program = [](std::int32_t first_size) {
        ProgramBuilder made(2, 2);
        const std::int32_t own = made.reserve_scratch(1, first_size);
        made.recv(1, scratch(own));
        return made.finish();
    };
    EXPECT_TRUE(have_same_steps(program(0), program(0)));
    EXPECT_FALSE(have_same_steps(program(0), program(1)));
}

TEST(SameSteps, AreAsMany) {
    ProgramBuilder less(2, 2);
    less.recv(1, output(1));
    EXPECT_FALSE(have_same_steps(exchange(true), less.finish()));
}

}  // namespace
}  // namespace tasuki
