#include <gtest/gtest.h>

#include "report/communicator_tally.hpp"

namespace tasuki::report {
namespace {

TEST(CommunicatorTally, CountsBySizeClassAndAlgorithm) {
    const Choice bruck = parse_choice("alltoall", "bruck:radix=4");
    const Choice ring = parse_choice("allreduce", "ring:carrier=memory");
    CommunicatorTally tally(0, 4, 1);
    tally.of("alltoall", "", 64).add(nullptr, 256, 10);
    tally.of("alltoall", "", 64).add(&bruck, 280, 20);
    tally.of("alltoall", "", 96).add(&bruck, 400, 30);
    tally.of("allreduce", "-in-order", 64).add(&ring, 64, 40);
    const CommunicatorRecord record = tally.record(0.5, 7, {});
    EXPECT_EQ(record.ranks, 4);
    EXPECT_EQ(record.communicators, 1);
    EXPECT_EQ(record.first_rank, 7);
    ASSERT_EQ(record.sizes.size(), 3U);
    EXPECT_EQ(record.sizes[0].collective, "allreduce-in-order");
    EXPECT_EQ(record.sizes[0].algorithms[0].name, "ring:carrier=memory");
    const SizeRecord& exchange = record.sizes[1];
    EXPECT_EQ(exchange.calls, 2);
    EXPECT_EQ(exchange.bytes, 536);
    EXPECT_EQ(exchange.seconds.sum, 15);
    EXPECT_EQ(exchange.course.names, (std::vector<std::string>{"native", "bruck:radix=4"}));
    EXPECT_EQ(exchange.course.spans.size(), 2U);
}

TEST(CommunicatorTally, OnlyRankZeroHasACourse) {
    CommunicatorTally tally(1, 4, 100);
    tally.of("barrier", "", 0).add(nullptr, 0, 10);
    tally.add_host_messages(3, 30);
    Traffic traffic;
    traffic.host_messages = 2;
    const CommunicatorRecord record = tally.record(1, 0, traffic);
    EXPECT_EQ(record.communicators, 0);
    EXPECT_EQ(record.ordinal, CommunicatorTally::most_ordinals);
    EXPECT_TRUE(record.sizes[0].course.spans.empty());
    EXPECT_EQ(record.traffic.host_messages, 5U);
    EXPECT_EQ(record.traffic.host_bytes, 30U);
}

}  // namespace
}  // namespace tasuki::report
