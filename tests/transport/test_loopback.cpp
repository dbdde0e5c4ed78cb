#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "transport/loopback/loopback.hpp"

namespace tasuki {
namespace {

using Sends = LoopbackWorld::Sends;

class Loopback : public testing::TestWithParam<Sends> {};

INSTANTIATE_TEST_SUITE_P(Both, Loopback, testing::Values(Sends::synchronous, Sends::buffered),
                         [](const auto& info) {
                             return info.param == Sends::synchronous ? "synchronous" : "buffered";
                         });

Buffer buffer_of(std::vector<std::int32_t>& numbers) {
    return Buffer::contiguous(numbers.data(), sizeof(std::int32_t));
}

TEST_P(Loopback, CarriesAMessage) {
    LoopbackWorld(2, GetParam()).run([](std::int32_t rank, Transport& transport) {
        std::vector<std::int32_t> numbers{10 * rank, 10 * rank + 1, 10 * rank + 2};
        const Buffer buffer = buffer_of(numbers);
        std::vector<StepId> completed;
        if (rank == 0) {
            transport.start_send({1, 7, &buffer, 1, 2}, 42);
        } else {
            transport.start_recv({0, 7, &buffer, 0, 2}, 43);
        }
        transport.collect(Patience::wait, completed);
        EXPECT_EQ(completed, (std::vector<StepId>{rank == 0 ? 42U : 43U}));
        if (rank == 1) {
            EXPECT_EQ(numbers, (std::vector<std::int32_t>{1, 2, 12}));
        }
    });
}

TEST_P(Loopback, MatchesByTagAndEqualTagsInOrder) {
    LoopbackWorld(2, GetParam()).run([](std::int32_t rank, Transport& transport) {
        std::vector<std::int32_t> numbers(6, -1);
        if (rank == 0) std::iota(numbers.begin(), numbers.end(), 0);
        const Buffer buffer = buffer_of(numbers);
        std::vector<StepId> completed;
        for (std::int32_t i = 0; i < 6; ++i) {
            const std::int32_t tag = rank == 0 ? i % 3 : (5 - i) % 3;
            const auto step = static_cast<StepId>(i);
            if (rank == 0) transport.start_send({1, tag, &buffer, i, 1}, step);
            if (rank == 1) transport.start_recv({0, tag, &buffer, i, 1}, step);
        }
        while (completed.size() < 6) transport.collect(Patience::wait, completed);
        std::sort(completed.begin(), completed.end());
        EXPECT_EQ(completed, (std::vector<StepId>{0, 1, 2, 3, 4, 5}));
        if (rank == 1) {
            EXPECT_EQ(numbers, (std::vector<std::int32_t>{2, 1, 0, 5, 4, 3}));
        }
    });
}

TEST_P(Loopback, CarriesEmptyMessagesAndMessagesToOneself) {
    LoopbackWorld(1, GetParam()).run([](std::int32_t, Transport& transport) {
        std::vector<std::int32_t> numbers{5, 0};
        const Buffer buffer = buffer_of(numbers);
        std::vector<StepId> completed;
        transport.start_recv({0, 0, &buffer, 1, 1}, 0);
        transport.start_send({0, 0, &buffer, 0, 1}, 1);
        transport.start_send({0, 1, &buffer, 0, 0}, 2);
        transport.start_recv({0, 1, &buffer, 0, 0}, 3);
        while (completed.size() < 4) transport.collect(Patience::wait, completed);
        EXPECT_EQ(completed.size(), 4U);
        EXPECT_EQ(numbers[1], 5);
    });
}

TEST(LoopbackSends, CompleteAtOnceOnlyIfBuffered) {
    for (Sends sends : {Sends::synchronous, Sends::buffered}) {
        LoopbackWorld(2, sends).run([&](std::int32_t rank, Transport& transport) {
            if (rank != 0) return;
            std::vector<std::int32_t> numbers{1};
            const Buffer buffer = buffer_of(numbers);
            std::vector<StepId> completed;
            transport.start_send({1, 0, &buffer, 0, 1}, 0);
            transport.collect(Patience::poll, completed);
            EXPECT_EQ(completed.size(), sends == Sends::buffered ? 1U : 0U);
        });
    }
}

TEST_P(Loopback, KeepsManyThreadsApart) {
    constexpr std::int32_t ranks = 8;
    LoopbackWorld world(ranks, GetParam());
    world.run([&](std::int32_t rank, Transport& transport) {
        for (std::int32_t round = 0; round < 50; ++round) {
            std::vector<std::int32_t> sent(ranks);
            std::vector<std::int32_t> received(ranks, -1);
            for (std::int32_t peer = 0; peer < ranks; ++peer) sent[peer] = rank * 100 + peer;
            const Buffer from = buffer_of(sent);
            const Buffer to = buffer_of(received);
            for (std::int32_t peer = 0; peer < ranks; ++peer) {
                transport.start_send({peer, round, &from, peer, 1}, 0);
                transport.start_recv({peer, round, &to, peer, 1}, 1);
            }
            transport.wait_for_all();
            for (std::int32_t peer = 0; peer < ranks; ++peer) {
                ASSERT_EQ(received[peer], peer * 100 + rank);
            }
        }
    });
}

/// Every second number of the buffer.
class EverySecond : public ElementType {
  public:
    void pack(const std::byte* base, std::int64_t elements, std::byte* packed) const override {
        for (std::int64_t i = 0; i < elements; ++i) std::copy_n(base + 8 * i, 4, packed + 4 * i);
    }
    void unpack(const std::byte* packed, std::byte* base, std::int64_t elements) const override {
        for (std::int64_t i = 0; i < elements; ++i) std::copy_n(packed + 4 * i, 4, base + 8 * i);
    }
};

TEST_P(Loopback, PacksAndUnpacksElements) {
    const EverySecond type;
    LoopbackWorld(2, GetParam()).run([&](std::int32_t rank, Transport& transport) {
        std::vector<std::int32_t> numbers{1, 2, 3, 4};
        if (rank == 1) numbers.assign(4, 0);
        // Two elements a chunk on the side with gaps, plain bytes on the other.
        const Buffer gaps{reinterpret_cast<std::byte*>(numbers.data()), 8, 16, 2, &type};
        const Buffer plain = Buffer::contiguous(numbers.data(), 8);
        if (rank == 0) {
            transport.start_send({1, 0, &gaps, 0, 1}, 0);
            transport.start_recv({1, 0, &gaps, 0, 1}, 1);
        } else {
            transport.start_recv({0, 0, &plain, 0, 1}, 0);
            transport.wait_for_all();
            EXPECT_EQ(numbers, (std::vector<std::int32_t>{1, 3, 0, 0}));
            numbers = {7, 8, 0, 0};
            transport.start_send({0, 0, &plain, 0, 1}, 1);
        }
        transport.wait_for_all();
        if (rank == 0) {
            EXPECT_EQ(numbers, (std::vector<std::int32_t>{7, 2, 8, 4}));
        }
    });
}

TEST_P(Loopback, RefusesAMessageOfAnotherSizeAndLeavesNobodyWaiting) {
    LoopbackWorld world(3, GetParam());
    const auto body = [](std::int32_t rank, Transport& transport) {
        std::vector<std::int32_t> numbers(4);
        const Buffer buffer = buffer_of(numbers);
        try {
            if (rank == 0) transport.start_send({1, 0, &buffer, 0, 3}, 0);
            if (rank == 1) transport.start_recv({0, 0, &buffer, 0, 2}, 0);
            if (rank == 2) transport.start_recv({0, 0, &buffer, 0, 2}, 0);
            transport.wait_for_all();
        } catch (...) {
            transport.abandon();
            throw;
        }
    };
    try {
        world.run(body);
        FAIL() << "the sizes differ";
    } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "a message of 12 bytes met a receive of 8");
    }
}

}  // namespace
}  // namespace tasuki
