// What of a schedule of one round is posted.
#include <gtest/gtest.h>

#include "schedule/builder.hpp"
#include "schedule/one_round.hpp"

namespace tasuki {
namespace {

/// Everybody sends its vector to everybody.
Program all_to_all_others(std::int32_t rank, std::int32_t ranks) {
    ProgramBuilder program(2, 2 * ranks);
    for (std::int32_t peer = 0; peer < ranks; ++peer) {
        if (peer == rank) continue;
        program.recv(peer, output(2 * peer, 2));
        program.send(peer, input(0, 2));
    }
    return program.finish();
}

TEST(OneRound, CountsWhatGoesToManyOnce) {
    const auto round =
        one_round_of(5, [](std::int32_t rank) { return all_to_all_others(rank, 5); });
    ASSERT_TRUE(round);
    EXPECT_EQ(round->most_posted, 2);
    EXPECT_EQ(round->all_posted, 10);
    EXPECT_EQ(round->all_sent, 40);
    EXPECT_EQ(round->most_received, 8);
    EXPECT_EQ(round->most_receipts, 4);
    EXPECT_TRUE(round->is_better_posted(OneRound::most_bytes_to_many / 2));
    EXPECT_FALSE(round->is_better_posted(OneRound::most_bytes_to_many / 2 + 1));
}

TEST(OneRound, OfLargeBlocksForOneReaderEachIsBetterSent) {
    const auto round = one_round_of(3, [](std::int32_t rank) {
        ProgramBuilder program(3, 3);
        for (std::int32_t peer = 0; peer < 3; ++peer) {
            if (peer == rank) continue;
            program.recv(peer, output(peer));
            program.send(peer, input(peer));
        }
        return program.finish();
    });
    ASSERT_TRUE(round);
    EXPECT_EQ(round->most_posted, 2);
    EXPECT_FALSE(round->has_many_readers());
    EXPECT_TRUE(round->is_better_posted(OneRound::most_bytes_to_one / 2));
    EXPECT_FALSE(round->is_better_posted(OneRound::most_bytes_to_one));
}

TEST(OneRound, IsNoneWhereAMessageComesAfterAReceipt) {
    const auto passed_on = [](std::int32_t rank) {
        ProgramBuilder program(1, 1);
        if (rank == 0) program.send(1, input(0));
        if (rank == 1) {
            const StepId came = program.recv(0, output(0));
            const StepId copied = program.copy(input(0), output(0), {came});
            program.send(2, output(0), {copied});
        }
        if (rank == 2) program.recv(1, output(0));
        return program.finish();
    };
    EXPECT_FALSE(one_round_of(3, passed_on));
}

TEST(OneRound, IsNoneWhereWhatWasSentMakesRoomForWhatIsSentNext) {
    const auto through_one_place = [](std::int32_t rank) {
        ProgramBuilder program(2, 1);
        if (rank > 0) {
            program.recv(0, output(0));
            return program.finish();
        }
        const std::int32_t place = program.reserve_scratch(1);
        const StepId first = program.copy(input(0), scratch(place));
        const StepId sent = program.send(1, scratch(place), {first});
        const StepId second = program.copy(input(1), scratch(place), {sent});
        program.send(2, scratch(place), {second});
        return program.finish();
    };
    EXPECT_FALSE(one_round_of(3, through_one_place));
}

TEST(PostLayout, PutsNeighboursSideBySide) {
    ProgramBuilder program(8, 0);
    program.send(1, input(5));
    program.send(2, input(0, 2));
    program.send(3, input(2));
    program.send(4, input(0, 2));
    program.send(5, nothing());
    const PostLayout layout(program.finish());
    ASSERT_EQ(layout.parts().size(), 2U);
    EXPECT_EQ(layout.parts()[0].region, input(0, 3));
    EXPECT_EQ(layout.parts()[1].region, input(5));
    EXPECT_EQ(layout.chunks(), 4);
    EXPECT_EQ(layout.place_of(input(2)), 2);
    EXPECT_EQ(layout.place_of(input(5)), 3);
}

}  // namespace
}  // namespace tasuki
