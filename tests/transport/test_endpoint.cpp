// Which way a message takes, how often it is copied, and that its bytes arrive.
#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <memory>
#include <unistd.h>

#include "transport/memory/cores.hpp"
#include "transport/one_thread.hpp"

namespace tasuki::test {
namespace {

using memory::Path;
using memory::Settings;

constexpr std::size_t large = 200000;
/// What is large goes straight from buffer to buffer, though there are warm blocks.
constexpr Settings straight{.warm_bytes = 0};

class BothOrders : public testing::TestWithParam<std::size_t> {};

INSTANTIATE_TEST_SUITE_P(Bytes, BothOrders,
                         testing::Values(0, 1, 8, 40, 41, 63, 64, 4096, 4097, 131071, 131072, large,
                                         3000000));

TEST_P(BothOrders, ReceiverFirst) {
    for (const bool remote_copies : {true, false}) {
        OneThread ranks(2, {.remote_copies = remote_copies});
        Transfer& receive = ranks.receive(0, 1, 7, GetParam());
        ranks[1].progress();
        Transfer& send = ranks.send(0, 1, 7, content(GetParam(), 1));
        ranks.progress(100);
        ASSERT_TRUE(send.is_done() && receive.is_done());
        EXPECT_EQ(receive.bytes, send.bytes);
        EXPECT_EQ(receive.operation.arrived, GetParam());
    }
}

TEST_P(BothOrders, SenderFirst) {
    for (const bool remote_copies : {true, false}) {
        OneThread ranks(2, {.remote_copies = remote_copies});
        Transfer& send = ranks.send(0, 1, 7, content(GetParam(), 1));
        ranks.progress();
        Transfer& receive = ranks.receive(0, 1, 7, GetParam());
        ranks.progress(100);
        ASSERT_TRUE(send.is_done() && receive.is_done());
        EXPECT_EQ(receive.bytes, send.bytes);
    }
}

TEST_P(BothOrders, ToItself) {
    OneThread ranks(1);
    Transfer& send = ranks.send(0, 0, 7, content(GetParam(), 1));
    Transfer& receive = ranks.receive(0, 0, 7, GetParam());
    ranks.progress(100);
    ASSERT_TRUE(send.is_done() && receive.is_done());
    EXPECT_EQ(receive.bytes, send.bytes);
}

TEST(Endpoint, ALargeMessageThatIsWaitedForIsCopiedOnce) {
    OneThread ranks(2, straight);
    ranks.receive(0, 1, 7, large);
    ranks.progress();
    Transfer& send = ranks.send(0, 1, 7, content(large, 1));
    EXPECT_TRUE(send.is_done()) << "the sender has written it and is done with it";
    ranks.progress();
    EXPECT_EQ(ranks.sent(0, Path::written), 1U);
    EXPECT_EQ(ranks.copied_bytes(), large);
}

TEST(Endpoint, ALargeMessageThatComesFirstIsCopiedOnceByItsReceiver) {
    OneThread ranks(2, straight);
    Transfer& send = ranks.send(0, 1, 7, content(large, 1));
    ranks.progress();
    EXPECT_FALSE(send.is_done());
    ranks.receive(0, 1, 7, large);
    ranks.progress();
    EXPECT_EQ(ranks.sent(0, Path::read), 1U);
    EXPECT_EQ(ranks.copied_bytes(), large);
}

TEST(Endpoint, InAnExchangeOfLargeMessagesEachCopiesOne) {
    for (const bool receivers_first : {true, false}) {
        OneThread ranks(2, straight);
        const auto receive = [&](std::int32_t rank) { ranks.receive(1 - rank, rank, 7, large); };
        const auto send = [&](std::int32_t rank) {
            ranks.send(rank, 1 - rank, 7, content(large, static_cast<unsigned>(rank)));
        };
        // Or all that rank 0 does comes before all that rank 1 does.
        for (const std::int32_t rank : {0, 1}) {
            receive(rank);
            if (!receivers_first) send(rank);
        }
        for (const std::int32_t rank : {0, 1}) {
            if (receivers_first) send(rank);
        }
        ranks.progress();
        for (const std::int32_t rank : {0, 1}) {
            EXPECT_EQ(ranks.sent(rank, Path::read), 1U);
            EXPECT_EQ(ranks[rank].counters().copied_bytes, large);
        }
    }
}

// Which of the two takes less time is known after both were tried.
TEST(Endpoint, LargeMessagesAreCopiedOnceUntilPullingThemIsTried) {
    if (!memory::have_a_core_each(getpid())) GTEST_SKIP() << "needs two cores";
    for (const bool receiver_first : {true, false}) {
        OneThread ranks(2, straight);
        const auto send = [&](int messages) {
            for (; messages > 0; --messages) send_in_order(ranks, large, receiver_first);
        };
        send(6);
        EXPECT_EQ(ranks.copied_bytes(), 6 * large);
        send(7);
        EXPECT_EQ(ranks.sent(0, Path::pulled), 7U);
        EXPECT_EQ(ranks.copied_bytes(), (6 + 2 * 7) * large);
    }
}

TEST(Endpoint, WithoutRemoteCopiesItIsCopiedTwice) {
    for (const bool receiver_first : {true, false}) {
        OneThread ranks(2, {.warm_bytes = 0, .remote_copies = false});
        send_in_order(ranks, large, receiver_first);
        EXPECT_EQ(ranks.sent(0, Path::pulled), 1U);
        EXPECT_EQ(ranks.copied_bytes(), 2 * large);
    }
}

TEST(Endpoint, EagerMessagesAreCopiedTwiceInEitherOrder) {
    for (const bool receiver_first : {true, false}) {
        OneThread ranks(2);
        if (receiver_first) ranks.receive(0, 1, 7, 10000);
        EXPECT_TRUE(ranks.send(0, 1, 7, content(10000, 1)).is_done());
        ranks.progress();
        if (!receiver_first) ranks.receive(0, 1, 7, 10000);
        ranks.progress();
        EXPECT_EQ(ranks.sent(0, Path::eager), 1U);
        EXPECT_EQ(ranks.copied_bytes(), 20000U);
    }
}

TEST(Endpoint, MatchesByTagAndEqualTagsInOrder) {
    for (const std::size_t bytes : {std::size_t{8}, std::size_t{500}, large}) {
        OneThread ranks(2);
        std::vector<Transfer*> sends;
        std::vector<Transfer*> receives;
        for (unsigned i = 0; i < 12; ++i)
            sends.push_back(&ranks.send(0, 1, i % 3, content(bytes, i)));
        for (unsigned i = 0; i < 12; ++i)
            receives.push_back(&ranks.receive(0, 1, 2 - i % 3, bytes));
        ranks.progress();
        for (unsigned i = 0; i < 12; ++i) {
            ASSERT_TRUE(sends[i]->is_done() && receives[i]->is_done());
            EXPECT_EQ(receives[i]->bytes, sends[i / 3 * 3 + (2 - i % 3)]->bytes);
        }
    }
}

TEST(Endpoint, ARequestThatWasCrossedByItsMessageIsRefused) {
    OneThread ranks(2, straight);
    Transfer& first = ranks.send(0, 1, 7, content(100, 1));
    // Not yet looked at by rank 1... which now asks for the next large one of this tag.
    Transfer& into = ranks.receive(0, 1, 7, large);
    Transfer& next = ranks.receive(0, 1, 7, large);
    Transfer& second = ranks.send(0, 1, 7, content(large, 2));
    ranks.progress();
    ASSERT_TRUE(into.is_done() && next.is_done() && second.is_done());
    EXPECT_EQ(into.operation.arrived, 100U);
    EXPECT_TRUE(std::equal(first.bytes.begin(), first.bytes.end(), into.bytes.begin()));
    EXPECT_EQ(next.bytes, second.bytes);
}

TEST(Endpoint, AnEarlierReceiveOfTheSameTagIsServedFirst) {
    OneThread ranks(2, straight);
    Transfer& small = ranks.receive(0, 1, 7, 1000);  // too small for a request
    Transfer& big = ranks.receive(0, 1, 7, large);
    ranks.progress();
    Transfer& one = ranks.send(0, 1, 7, content(1000, 1));
    Transfer& two = ranks.send(0, 1, 7, content(large, 2));
    ranks.progress();
    EXPECT_EQ(small.bytes, one.bytes);
    EXPECT_EQ(big.bytes, two.bytes);
}

TEST(Endpoint, RequestsOfManyReceivesAreServedInOrder) {
    OneThread ranks(3, straight);
    std::vector<Transfer*> receives;
    for (unsigned i = 0; i < 200; ++i) receives.push_back(&ranks.receive(0, 1, i / 50, large));
    ranks.progress();
    std::vector<Transfer*> sends;
    for (unsigned i = 0; i < 200; ++i)
        sends.push_back(&ranks.send(0, 1, i / 50, content(large, i)));
    ranks.progress(400);
    for (unsigned i = 0; i < 200; ++i) {
        ASSERT_TRUE(sends[i]->is_done() && receives[i]->is_done()) << i;
        ASSERT_EQ(receives[i]->bytes, sends[i]->bytes) << i;
    }
    EXPECT_EQ(ranks.sent(0, Path::written), memory::most_requests);
}

TEST(Endpoint, AMessageThatIsTooLongIsCutAndSaysSo) {
    for (const bool remote_copies : {true, false}) {
        for (const std::size_t bytes : {40UL, 9000UL, large, 1UL << 20}) {
            for (const bool receiver_first : {true, false}) {
                OneThread ranks(2, {.remote_copies = remote_copies});
                const std::size_t room = bytes - 9;
                Transfer* receive = receiver_first ? &ranks.receive(0, 1, 7, room) : nullptr;
                ranks.progress();
                Transfer& send = ranks.send(0, 1, 7, content(bytes, 1));
                ranks.progress();
                if (!receiver_first) receive = &ranks.receive(0, 1, 7, room);
                ranks.progress(100);
                ASSERT_TRUE(send.is_done() && receive->is_done());
                EXPECT_EQ(receive->operation.arrived, bytes);
                EXPECT_TRUE(
                    std::equal(receive->bytes.begin(), receive->bytes.end(), send.bytes.begin()));
            }
        }
    }
}

// What a receiver holds that does not take its messages: 1024 records, and the blocks.
TEST(Endpoint, AFloodWaitsAtItsSender) {
    for (const std::size_t bytes : {std::size_t{8}, std::size_t{3000}}) {
        OneThread ranks(2);
        std::vector<Transfer*> sends;
        for (unsigned i = 0; i < 5000; ++i) {
            sends.push_back(&ranks.send(0, 1, 7, content(bytes, i)));
            if (i % 50 == 0) ranks.progress(2);
        }
        ranks.progress(100);
        EXPECT_LE(ranks.sent(0, Path::small) + ranks.sent(0, Path::eager), 1024U);
        EXPECT_FALSE(sends.back()->is_done());
        for (unsigned i = 0; i < 5000; ++i) {
            Transfer& receive = ranks.receive(0, 1, 7, bytes);
            ranks.progress(2);
            ASSERT_TRUE(receive.is_done()) << i;
            ASSERT_EQ(receive.bytes, sends[i]->bytes) << i;
        }
        ranks.progress();
        EXPECT_TRUE(sends.back()->is_done());
    }
}

// Eager messages that nobody asks for may not keep away the stream that somebody waits for.
TEST(Endpoint, AStreamGetsThroughWhereEagerMessagesWait) {
    OneThread ranks(2, {.remote_copies = false});
    std::vector<Transfer*> eager;
    for (unsigned i = 0; i < 40; ++i) eager.push_back(&ranks.send(0, 1, i, content(4096, i)));
    Transfer& send = ranks.send(0, 1, 99, content(large, 99));
    Transfer& receive = ranks.receive(0, 1, 99, large);
    ranks.progress(200);
    ASSERT_TRUE(receive.is_done());
    EXPECT_EQ(receive.bytes, send.bytes);
    for (unsigned i = 40; i-- > 0;) {
        Transfer& late = ranks.receive(0, 1, i, 4096);
        ranks.progress(10);
        ASSERT_TRUE(late.is_done());
        EXPECT_EQ(late.bytes, eager[i]->bytes);
    }
}

TEST(Endpoint, WhatIsGivenUpWritesNothing) {
    for (const bool remote_copies : {true, false}) {
        for (const std::size_t bytes : {8UL, 20000UL, large, 1UL << 20}) {
            OneThread ranks(2, {.remote_copies = remote_copies});
            Transfer& lost = ranks.receive(0, 1, 7, bytes);
            Transfer& unsent = ranks.send(1, 0, 7, content(bytes, 3));
            ranks.progress();
            const bool was_sent = unsent.is_done();
            ranks[1].abandon(lost.finished);
            if (!was_sent) ranks[1].abandon(unsent.finished);
            const auto before = lost.bytes;
            Transfer& send = ranks.send(0, 1, 7, content(bytes, 1));
            ranks.progress(100);
            EXPECT_EQ(lost.bytes, before);
            Transfer& receive = ranks.receive(0, 1, 7, bytes);
            ranks.progress(100);
            ASSERT_TRUE(send.is_done() && receive.is_done());
            EXPECT_EQ(receive.bytes, send.bytes) << "what comes later is not disturbed";
        }
    }
}

// A stream whose receive is given up in the middle, and one whose send is.
TEST(Endpoint, WhatIsGivenUpHalfWayEndsWithoutHarm) {
    for (const bool at_sender : {true, false}) {
        OneThread ranks(2, {.remote_copies = false});
        Transfer& send = ranks.send(0, 1, 7, content(30000000, 1));
        Transfer& receive = ranks.receive(0, 1, 7, 30000000);
        ranks.progress(5);
        ASSERT_FALSE(receive.is_done());
        ranks[at_sender ? 0 : 1].abandon(at_sender ? send.finished : receive.finished);
        Transfer& next = ranks.send(0, 1, 7, content(5000, 2));
        Transfer& into = ranks.receive(0, 1, 7, 5000);
        ranks.progress(200);
        ASSERT_TRUE(next.is_done() && into.is_done());
        EXPECT_EQ(into.bytes, next.bytes);
    }
}

// Their memory is the program's again, and the order of what stays is kept.
TEST(Endpoint, OfSeveralStreamsThatAreGivenUpNothingIsReadAnyMore) {
    constexpr std::size_t bytes = 8000000;
    OneThread ranks(2, {.remote_copies = false});
    auto given_up = std::make_unique<std::array<Transfer, 2>>();
    const auto begin = [&](Transfer& send) {
        send.bytes = content(bytes, 1);
        send.operation = {.peer = 1,
                          .tag = 7,
                          .address = send.bytes.data(),
                          .bytes = bytes,
                          .finished = &(*given_up)[0].finished};
        ranks[0].send(send.operation);
    };
    begin((*given_up)[0]);
    Transfer& kept = ranks.send(0, 1, 7, content(bytes, 2));
    begin((*given_up)[1]);
    std::vector<Transfer*> receives;
    for (int i = 0; i < 3; ++i) receives.push_back(&ranks.receive(0, 1, 7, bytes));
    ranks[1].progress();  // pulls all three
    ranks[0].progress();  // begins the first stream
    ranks[0].abandon((*given_up)[0].finished);
    for (Transfer& send : *given_up) std::ranges::fill(send.bytes, std::byte{0xEE});
    for (Transfer& send : *given_up) send.operation = {};
    ranks.progress(2000);
    for (const Transfer* const receive : receives) EXPECT_TRUE(receive->is_done());
    EXPECT_TRUE(kept.is_done());
    EXPECT_EQ(receives[1]->bytes, kept.bytes);
    EXPECT_EQ(receives[2]->bytes, std::vector<std::byte>(bytes)) << "it had not begun";
    given_up.reset();
    ranks.progress();
}

TEST(Endpoint, SmallLimitsMakeSmallerBlocksAndTheSameAnswers) {
    for (const std::size_t limit : {std::size_t{60000}, std::size_t{120000}, std::size_t{400000}}) {
        OneThread ranks(4, {.memory_limit = limit});
        const auto geometry = memory::Geometry::within(limit, 4);
        EXPECT_LE(geometry.segment_bytes(), limit);
        EXPECT_GE(geometry.blocks, memory::Geometry::fewest_blocks);
        for (const std::size_t bytes : {std::size_t{100}, std::size_t{5000}, std::size_t{30000}}) {
            Transfer& send = ranks.send(3, 0, 7, content(bytes, 1));
            Transfer& receive = ranks.receive(3, 0, 7, bytes);
            ranks.progress(100);
            ASSERT_TRUE(send.is_done() && receive.is_done()) << limit << " " << bytes;
            EXPECT_EQ(receive.bytes, send.bytes);
        }
    }
    EXPECT_EQ(memory::Geometry::within(10000, 4).blocks, 0U) << "too little to share at all";
}

// As docs/design/memory-transport.md has it.
TEST(Endpoint, BlocksShrinkWithTheRanksOfTheNode) {
    const auto of_communicator = memory::Geometry::of_communicator;
    const std::size_t usual = std::size_t{64} << 20;
    EXPECT_EQ(of_communicator(usual, 2).block_bytes, 140U << 10);
    EXPECT_EQ(of_communicator(usual, 4).block_bytes, 76U << 10);
    EXPECT_EQ(of_communicator(usual, 8).block_bytes, 36U << 10);
    EXPECT_EQ(of_communicator(usual, 8), memory::Geometry::within(usual / 6, 8));
    EXPECT_EQ(of_communicator(60000, 4), memory::Geometry::within(60000, 4))
        << "a sixth of that would be too little";
}

}  // namespace
}  // namespace tasuki::test
