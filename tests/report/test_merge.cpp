#include <gtest/gtest.h>

#include "report/merge.hpp"
#include "report/records.hpp"

namespace tasuki::report {
namespace {

RunRecord rank_of_pair(int rank, double seconds) {
    RunRecord run;
    add(run, part_of_pair(rank, seconds));
    return run;
}

TEST(Merge, RanksOfACommunicatorAddUp) {
    RunRecord run = rank_of_pair(1, 2);
    add(run, rank_of_pair(0, 1));
    EXPECT_EQ(run.seconds.sum, 3);
    EXPECT_EQ(run.seconds.most, 2);
    ASSERT_EQ(run.communicators.size(), 1U);
    const CommunicatorRecord& pair = run.communicators[0];
    EXPECT_EQ(pair.communicators, 1);
    EXPECT_EQ(pair.name, "pair");
    EXPECT_EQ(pair.traffic.host_messages, 20U);
    EXPECT_EQ(pair.traffic.memory.copied_bytes, 400U);
    ASSERT_EQ(pair.sizes.size(), 1U);
    EXPECT_EQ(pair.sizes[0].ranks, 2);
    EXPECT_EQ(pair.sizes[0].calls, 2008);
    EXPECT_EQ(pair.sizes[0].seconds.most, 2);
    EXPECT_EQ(pair.sizes[0].algorithms[1].calls, 2000);
    EXPECT_EQ(pair.sizes[0].course.spans.size(), 2U) << "the course of rank 0 is kept";
}

TEST(Merge, CommunicatorsOfOneRankAddUpInTime) {
    RunRecord run = rank_of_pair(0, 1);
    add(run, part_of_pair(0, 2));
    EXPECT_EQ(run.seconds.most, 3);
    EXPECT_EQ(run.communicators[0].communicators, 2);
    EXPECT_EQ(run.communicators[0].sizes[0].ranks, 1);
    EXPECT_EQ(run.communicators[0].sizes[0].seconds.most, 3);
}

TEST(Merge, OfAlikeCommunicatorsTheFirstOneShowsItsCourse) {
    CommunicatorRecord later = part_of_pair(0, 1);
    later.first_rank = 4;
    later.name = "later";
    RunRecord run;
    add(run, later);
    add(run, rank_of_pair(0, 1));
    EXPECT_EQ(run.communicators[0].name, "pair");
    EXPECT_EQ(run.communicators[0].first_rank, 0);
    EXPECT_EQ(run.communicators[0].communicators, 2);
}

TEST(Merge, OthersAreKeptApart) {
    CommunicatorRecord second = part_of_pair(0, 1);
    second.ordinal = 2;
    RunRecord run = rank_of_pair(0, 1);
    add(run, second);
    EXPECT_EQ(run.communicators.size(), 2U);
}

TEST(Merge, ReasonsAddUp) {
    RunRecord run;
    run.refused = {{"bcast", "its root is no rank", 1}};
    RunRecord other;
    other.refused = {{"bcast", "its root is no rank", 2}, {"barrier", "its root is no rank", 4}};
    add(run, other);
    ASSERT_EQ(run.refused.size(), 2U);
    EXPECT_EQ(run.refused[0].calls, 3);
}

TEST(Merge, ABoundKeepsWhatTookMostTime) {
    RunRecord run;
    for (int ordinal = 1; ordinal <= 70; ++ordinal) {
        CommunicatorRecord communicator = part_of_pair(0, ordinal);
        communicator.ordinal = ordinal;
        add(run, communicator);
    }
    for (int size = 0; size < 100; ++size) {
        SizeRecord more = exchange(size);
        more.size = 100 + size;
        run.communicators[69].sizes.push_back(more);
    }
    bound(run);
    EXPECT_EQ(run.communicators.size(), RunRecord::most_communicators);
    EXPECT_EQ(run.left_out_communicators, 6);
    EXPECT_EQ(run.communicators[0].ordinal, 70);
    EXPECT_EQ(run.communicators[0].sizes.size(), RunRecord::most_sizes);
    EXPECT_EQ(run.communicators[0].seconds(), 70 + 99 * 100 / 2);
}

}  // namespace
}  // namespace tasuki::report
