#include <gtest/gtest.h>

#include "schedule/builder.hpp"
#include "schedule/messages.hpp"

namespace tasuki {
namespace {

TEST(Messages, MeetByPairAndNumber) {
    ProgramBuilder first(4, 4);
    first.send(1, input(0));
    first.copy(input(0), output(0));
    first.send(1, input(1));
    first.recv(2, output(1));
    ProgramBuilder second(4, 4);
    second.recv(0, output(0));
    second.recv(0, output(1));
    ProgramBuilder third(4, 4);
    third.send(0, input(0));
    third.send(0, input(0));
    third.send(9, input(0));
    const auto met = match_messages(
        {"test", "test", {.ranks = 3}, {first.finish(), second.finish(), third.finish()}});
    EXPECT_EQ(met[0], (std::vector<StepId>{0, no_step, 1, 0}));
    EXPECT_EQ(met[1], (std::vector<StepId>{0, 2}));
    EXPECT_EQ(met[2], (std::vector<StepId>{3, no_step, no_step}));
}

}  // namespace
}  // namespace tasuki
