// Short messages that are sent and received without an operation, beside others that have one.
#include <chrono>
#include <gtest/gtest.h>
#include <optional>
#include <thread>

#include "transport/memory_world.hpp"
#include "transport/one_thread.hpp"

namespace tasuki::test {
namespace {

using memory::Path;
using memory::small_bytes;

std::optional<std::uint64_t> receive_now(OneThread& ranks, memory::Tag tag,
                                         std::vector<std::byte>& into) {
    return ranks[1].receive_now(0, tag, into.data(), into.size());
}

/// Rank 1 knows that rank 0 talks: before, what is sent is not looked for.
OneThread two_that_talk() {
    OneThread ranks(2);
    send_in_order(ranks, 8, true);
    return ranks;
}

TEST(Short, CrossesWithoutAnOperation) {
    OneThread ranks = two_that_talk();
    for (std::size_t bytes = 0; bytes <= small_bytes; ++bytes) {
        const auto sent = content(bytes, 1);
        ASSERT_TRUE(ranks[0].send_now(1, 7, sent.data(), bytes));
        std::vector<std::byte> came(bytes);
        ASSERT_EQ(receive_now(ranks, 7, came), bytes);
        ASSERT_EQ(came, sent);
    }
    EXPECT_EQ(ranks.sent(0, Path::small), small_bytes + 2) << "with the first, and that of 0 bytes";
    const auto longer = content(small_bytes + 1, 1);
    EXPECT_FALSE(ranks[0].send_now(1, 7, longer.data(), longer.size()));
    std::vector<std::byte> room(longer.size());
    EXPECT_EQ(receive_now(ranks, 7, room), std::nullopt) << "nothing was sent";
}

TEST(Short, IsLeftForReceiveWhereItIsNotTheNext) {
    OneThread ranks = two_that_talk();
    const auto other = content(8, 1);
    const auto wanted = content(8, 2);
    ASSERT_TRUE(ranks[0].send_now(1, 6, other.data(), 8));
    ASSERT_TRUE(ranks[0].send_now(1, 7, wanted.data(), 8));
    std::vector<std::byte> into(8);
    EXPECT_EQ(receive_now(ranks, 7, into), std::nullopt) << "another tag comes before";
    Transfer& receive = ranks.receive(0, 1, 7, 8);
    EXPECT_EQ(receive_now(ranks, 6, into), std::nullopt) << "a receive waits";
    ranks.progress();
    ASSERT_TRUE(receive.is_done());
    EXPECT_EQ(receive.bytes, wanted);
    EXPECT_EQ(receive_now(ranks, 6, into), std::nullopt) << "it has come before its receive";
    Transfer& late = ranks.receive(0, 1, 6, 8);
    EXPECT_EQ(late.bytes, other);
    ASSERT_TRUE(ranks[0].send_now(1, 7, wanted.data(), 8));
    std::vector<std::byte> too_short(7);
    EXPECT_EQ(receive_now(ranks, 7, too_short), std::nullopt) << "it does not fit";
    EXPECT_EQ(receive_now(ranks, 7, into), 8U);
}

// What is in an annex has been taken before the annex comes to be used again.
TEST(Short, MayWaitForItsReceive) {
    OneThread ranks = two_that_talk();
    const std::size_t sizes[] = {memory::record_bytes, memory::record_bytes + 1, 64, 104, 105,
                                 small_bytes};
    unsigned sent = 0;
    for (const std::size_t bytes : sizes) {
        ASSERT_TRUE(ranks[0].send_now(1, sent, content(bytes, sent).data(), bytes));
        ++sent;
        ranks.progress();
        ASSERT_TRUE(ranks[0].send_now(1, 100, content(small_bytes, 99).data(), small_bytes));
        ranks.progress();
        ASSERT_EQ(ranks.receive(0, 1, 100, small_bytes).bytes, content(small_bytes, 99));
    }
    while (sent-- > 0) {
        EXPECT_EQ(ranks.receive(0, 1, sent, sizes[sent]).bytes, content(sizes[sent], sent));
    }
}

// Whose annexes are all in use sends in blocks.
TEST(Short, FindsAnAnnexAgainWhenTheyHaveBeenTaken) {
    OneThread ranks = two_that_talk();
    constexpr std::size_t bytes = 100;
    const auto before = ranks.sent(0, Path::small);
    std::vector<Transfer*> sends;
    for (unsigned i = 0; i < 2 * memory::annexes_of_box; ++i) {
        sends.push_back(&ranks.send(0, 1, 7, content(bytes, i)));
    }
    EXPECT_EQ(ranks.sent(0, Path::small) - before, memory::annexes_of_box);
    EXPECT_EQ(ranks.sent(0, Path::eager), memory::annexes_of_box);
    ranks.progress();
    for (const Transfer* const send : sends) {
        EXPECT_EQ(ranks.receive(0, 1, 7, bytes).bytes, send->bytes);
    }
    ranks.send(1, 0, 7, content(8, 1));  // tells what was taken
    ranks.receive(1, 0, 7, 8);
    ranks.progress();
    for (unsigned i = 0; i < memory::annexes_of_box; ++i) ranks.send(0, 1, 7, content(bytes, i));
    EXPECT_EQ(ranks.sent(0, Path::small) - before, 2 * memory::annexes_of_box);
}

// An annex that was not used for long is free: what it is known by does not wrap round.
TEST(Short, FindsAnAnnexThatWasNotUsedForLong) {
    OneThread ranks = two_that_talk();
    std::vector<std::byte> room(100);
    const auto pass = [&](std::size_t bytes) {
        ASSERT_TRUE(ranks[0].send_now(1, 7, content(bytes, 1).data(), bytes));
        ASSERT_EQ(receive_now(ranks, 7, room), bytes);
    };
    pass(100);
    for (int i = 0; i < 40000; ++i) pass(8);
    pass(100);
}

TEST(Short, MayBeForASecondReceive) {
    OneThread ranks = two_that_talk();
    for (const std::size_t bytes : {std::size_t{8}, memory::record_bytes + 1, small_bytes}) {
        Transfer& first = ranks.receive(0, 1, 6, bytes);
        Transfer& second = ranks.receive(0, 1, 7, bytes);
        ASSERT_TRUE(ranks[0].send_now(1, 7, content(bytes, 7).data(), bytes));
        ranks.progress();
        ASSERT_TRUE(second.is_done());
        EXPECT_EQ(second.bytes, content(bytes, 7));
        ASSERT_TRUE(ranks[0].send_now(1, 6, content(bytes, 6).data(), bytes));
        ranks.progress();
        ASSERT_TRUE(first.is_done());
        EXPECT_EQ(first.bytes, content(bytes, 6));
    }
}

/// Sends until there is no room; how many were sent. `each` is called behind each.
template <typename Each>
unsigned fill(OneThread& ranks, Each&& each) {
    const auto one = content(8, 1);
    unsigned sent = 0;
    for (; ranks[0].send_now(1, 7, one.data(), 8); ++sent) each();
    return sent;
}

TEST(Short, DoesNotOvertakeWhatWaitsForRoom) {
    OneThread ranks = two_that_talk();
    const unsigned sent = fill(ranks, [] {});
    EXPECT_LT(sent, memory::cells_of_box);
    Transfer& waits = ranks.send(0, 1, 7, content(8, 2));
    ranks[1].progress();
    const auto last = content(8, 3);
    EXPECT_FALSE(ranks[0].send_now(1, 7, last.data(), 8)) << "there is room, but not for this one";
    ranks.progress();
    EXPECT_TRUE(waits.is_done());
    EXPECT_TRUE(ranks[0].send_now(1, 7, last.data(), 8));
    for (unsigned i = 0; i < sent; ++i) ranks.receive(0, 1, 7, 8);
    EXPECT_EQ(ranks.receive(0, 1, 7, 8).bytes, waits.bytes);
    std::vector<std::byte> into(8);
    EXPECT_EQ(receive_now(ranks, 7, into), 8U);
    EXPECT_EQ(into, last);
}

// What the peer had taken when it wrote its last record is old by then, as that was not looked at.
TEST(Short, IsNotWrittenOverWhatIsUnreadWhereNewsIsOld) {
    for (const unsigned before : {40000U, 65490U}) {
        OneThread ranks = two_that_talk();
        const auto old = content(8, 9);
        ASSERT_TRUE(ranks[1].send_now(0, 9, old.data(), 8));
        std::vector<std::byte> into(8);
        unsigned sent = 0;
        unsigned received = 0;
        const auto send = [&] {
            const bool is_sent = ranks[0].send_now(1, 7, content(8, sent).data(), 8);
            sent += is_sent ? 1 : 0;
            return is_sent;
        };
        const auto receive = [&] {
            ASSERT_EQ(receive_now(ranks, 7, into), 8U) << before;
            ASSERT_EQ(into, content(8, received++)) << before;
        };
        while (sent < before) {
            ASSERT_TRUE(send());
            receive();
        }
        for (int i = 0; i < 60; ++i) ASSERT_TRUE(send());
        ranks[0].progress();
        while (send()) ASSERT_LT(sent - received, memory::cells_of_box);
        while (received < sent) receive();
    }
}

TEST(Short, IsNotSentWhereTooManyWereThatNobodyHasAskedFor) {
    OneThread ranks = two_that_talk();
    const unsigned sent = fill(ranks, [&] { ranks[1].progress(); });
    EXPECT_EQ(sent, memory::most_unsettled - 1) << "and the first";
    for (unsigned i = 0; i < sent; ++i) EXPECT_EQ(ranks.receive(0, 1, 7, 8).bytes, content(8, 1));
    const auto next = content(8, 2);
    EXPECT_TRUE(ranks[0].send_now(1, 7, next.data(), 8));
}

// Its reader makes room at any time, also while the writer looks for another way.
TEST(Short, HasNoBytesAndFindsNoRoom) {
    run_threads(2, {}, [](memory::Endpoint& endpoint) {
        memory::OperationList finished;
        for (int i = 0; i < 300000; ++i) {
            memory::Operation operation;
            operation.peer = 1 - endpoint.rank();
            operation.finished = &finished;
            endpoint.rank() == 0 ? endpoint.send(operation) : endpoint.receive(operation);
            while (finished.empty()) endpoint.progress();
            finished.pop();
        }
        endpoint.flush();
        EXPECT_EQ(endpoint.counters().messages[static_cast<std::size_t>(Path::eager)], 0U);
    });
}

// Answers to and fro, in any mixture of both ways, with pauses in which the other falls asleep.
TEST(Short, GoesToAndFroBesideOthers) {
    run_threads(2, {}, [](memory::Endpoint& endpoint) {
        const std::int32_t peer = 1 - endpoint.rank();
        memory::OperationList sent;
        memory::OperationList received;
        for (unsigned i = 0; i < 20000; ++i) {
            const std::size_t bytes = i % 7 == 0 ? 3000 : i * 11 % (small_bytes + 20);
            const unsigned way = (i / 3 + endpoint.rank()) % 3;
            const auto exchange = [&](bool sends) {
                auto message = sends ? content(bytes, i) : std::vector<std::byte>(bytes);
                memory::Operation operation;
                operation.peer = peer;
                operation.tag = i % 5;
                operation.address = message.data();
                operation.bytes = bytes;
                operation.finished = sends ? &sent : &received;
                if (way != 0 && sends && endpoint.send_now(peer, i % 5, message.data(), bytes)) {
                    endpoint.progress();
                    return;
                }
                if (way != 0 && !sends &&
                    endpoint.receive_now(peer, i % 5, message.data(), bytes) == bytes) {
                    ASSERT_EQ(message, content(bytes, i)) << i;
                    return;
                }
                sends ? endpoint.send(operation) : endpoint.receive(operation);
                endpoint.wait(*operation.finished, operation);
                operation.finished->pop();
                ASSERT_EQ(message, content(bytes, i)) << i;
            };
            const bool begins = (i + endpoint.rank()) % 2 == 0;
            if (begins && i % 4000 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
            exchange(begins);
            exchange(!begins);
        }
        endpoint.flush();
    });
}

}  // namespace
}  // namespace tasuki::test
