#include <gtest/gtest.h>

#include "algorithms/algorithm.hpp"
#include "contract/alltoall.hpp"
#include "verify/two_ranks.hpp"
#include "verify/verify.hpp"

namespace tasuki {
namespace {

TEST(Verify, HoldsForASimpleExchange) {
    const Verdict verdict = verify_alltoall(two_ranks(exchange(0), exchange(1)));
    EXPECT_TRUE(verdict.holds()) << verdict.text();
    EXPECT_EQ(verdict.text(), "");
}

TEST(Verify, HoldsForOneRankAndForEveryNumberOfRanks) {
    const Algorithm* spread = find_algorithm("alltoall", "spread");
    ASSERT_NE(spread, nullptr);
    for (std::int32_t ranks : {1, 2, 3, 7, 16, 128}) {
        const Verdict verdict =
            verify(spread->schedule({.ranks = ranks, .parameters = spread->default_parameters()}),
                   AllToAll());
        EXPECT_TRUE(verdict.holds()) << ranks << " ranks:\n" << verdict.text();
    }
}

TEST(Verify, MatchesMessagesByTheirNumberNotByTheOrderInWhichTheyStart) {
    // The second message is sent first: its recv is number 1 on both sides all the same.
    ProgramBuilder sender = two_ranks_program();
    const StepId arrived = sender.recv(1, output(1));
    sender.send(1, nothing(), {arrived});
    sender.send(1, input(1));
    sender.copy(input(0), output(0));
    ProgramBuilder receiver = two_ranks_program();
    receiver.recv(0, nothing());
    const StepId data = receiver.recv(0, output(0));
    receiver.send(0, input(0), {data});
    receiver.copy(input(1), output(1));
    const Verdict verdict = verify_alltoall(two_ranks(sender.finish(), receiver.finish()));
    EXPECT_TRUE(verdict.holds()) << verdict.text();
}

TEST(Verify, AllowsARegionToBeUsedAgainByOrderThroughOtherSteps) {
    // Step 3 writes what step 1 sends; the order goes by way of step 2.
    ProgramBuilder program = two_ranks_program();
    const std::int32_t space = program.reserve_scratch(1);
    const StepId fill = program.copy(input(1), scratch(space));
    const StepId sent = program.send(1, scratch(space), {fill});
    const StepId arrived = program.recv(1, output(1), {sent});
    const StepId again = program.copy(input(0), scratch(space), {arrived});
    program.copy(scratch(space), output(0), {again});
    const Verdict verdict = verify_alltoall(two_ranks(program.finish(), exchange(1)));
    EXPECT_TRUE(verdict.holds()) << verdict.text();
}

TEST(Verify, FollowsOrderOverMoreThan64Steps) {
    ProgramBuilder program = two_ranks_program();
    const std::int32_t space = program.reserve_scratch(1);
    StepId last = program.copy(input(1), scratch(space));
    last = program.send(1, scratch(space), {last});
    for (int i = 0; i < 200; ++i) last = program.copy(nothing(), nothing(), {last});
    last = program.copy(input(0), scratch(space), {last});
    program.copy(scratch(space), output(0), {last});
    program.recv(1, output(1));
    const Verdict verdict = verify_alltoall(two_ranks(program.finish(), exchange(1)));
    EXPECT_TRUE(verdict.holds()) << verdict.text();
}

TEST(Verify, TellsOnlyTheFirstFindings) {
    Verdict verdict;
    for (std::int32_t rank = 0; rank < 12; ++rank) {
        verdict.findings.push_back({rank, {}, {}, "rank " + std::to_string(rank)});
    }
    EXPECT_EQ(verdict.text(2), "rank 0\nrank 1\nand 10 more\n");
}

}  // namespace
}  // namespace tasuki
