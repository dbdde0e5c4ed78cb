// Buffers in memory that the system reaches for nobody but the process that has it.
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "transport/memory/cores.hpp"
#include "transport/memory/reached_memory.hpp"
#include "transport/memory_world.hpp"
#include "transport/one_thread.hpp"

namespace tasuki::test {
namespace {

using memory::Operation;
using memory::OperationList;
using memory::Path;

constexpr std::size_t most_bytes = 1 << 20;

/// Memory as devices have it: no remote copy reaches it. Empty where the system has none.
class Unreachable {
  public:
    Unreachable() {
        constexpr int memfd_secret = 447;  // of Linux 5.14
        const auto descriptor = static_cast<int>(syscall(memfd_secret, 0));
        if (descriptor < 0) return;
        if (ftruncate(descriptor, most_bytes) == 0) {
            void* const base =
                mmap(nullptr, most_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
            if (base != MAP_FAILED) base_ = static_cast<std::byte*>(base);
        }
        close(descriptor);
    }
    Unreachable(const Unreachable&) = delete;
    ~Unreachable() {
        if (base_ != nullptr) munmap(base_, most_bytes);
    }

    std::byte* base() const { return base_; }

  private:
    std::byte* base_ = nullptr;
};

Operation operation_of(std::int32_t peer, std::byte* address, std::size_t bytes,
                       OperationList& finished) {
    return {.peer = peer, .tag = 7, .address = address, .bytes = bytes, .finished = &finished};
}

TEST(UnreachableMemory, WhatWasReachedIsKnown) {
    memory::ReachedMemory reached;
    EXPECT_FALSE(reached.holds(1000, 1));
    reached.add(1000, 100);
    reached.add(1100, 100);
    EXPECT_TRUE(reached.holds(1050, 150));
    EXPECT_FALSE(reached.holds(1050, 151));
    EXPECT_FALSE(reached.holds(999, 2));
    for (std::uint64_t other = 1; other < 4; ++other) reached.add(10000 * other, 100);
    EXPECT_TRUE(reached.holds(1000, 200) && reached.holds(30000, 100));
    reached.add(50000, 100);
    EXPECT_FALSE(reached.holds(1000, 200)) << "it is the oldest";
}

// Of one message nothing is concluded for others.
TEST(UnreachableMemory, IsSentAndReceivedInBlocks) {
    const Unreachable memory;
    if (memory.base() == nullptr) GTEST_SKIP() << "this system has no such memory";
    for (const bool of_sender : {true, false}) {
        for (const bool receiver_first : {true, false}) {
            for (const std::size_t bytes : {std::size_t{100000}, most_bytes}) {
                OneThread ranks(2, {.warm_bytes = 0});
                send_in_order(ranks, bytes, true);
                const auto expected = content(bytes, 2);
                std::vector<std::byte> usual = expected;
                std::byte* const from = of_sender ? memory.base() : usual.data();
                std::byte* const to = of_sender ? usual.data() : memory.base();
                std::ranges::copy(expected, from);
                std::fill_n(to, bytes, std::byte{0xEE});
                OperationList sent;
                OperationList received;
                Operation send = operation_of(1, from, bytes, sent);
                Operation receive = operation_of(0, to, bytes, received);
                if (receiver_first) ranks[1].receive(receive);
                ranks.progress();
                ranks[0].send(send);
                ranks.progress();
                if (!receiver_first) ranks[1].receive(receive);
                ranks.progress(100);
                ASSERT_TRUE(!sent.empty() && !received.empty());
                EXPECT_TRUE(std::equal(expected.begin(), expected.end(), to));
                EXPECT_TRUE(ranks[0].has_remote_copies() && ranks[1].has_remote_copies());
                const std::uint64_t before = ranks.sent(0, Path::written);
                send_in_order(ranks, bytes, true);
                EXPECT_EQ(ranks.sent(0, Path::written) - before, 1U);
            }
        }
    }
}

// After messages in usual memory, of which the receiver has copied some.
TEST(UnreachableMemory, IsNoHindranceWhereBothEndsCopy) {
    if (memory::count_cores().present < 2) GTEST_SKIP() << "needs two cores";
    if (Unreachable().base() == nullptr) GTEST_SKIP() << "this system has no such memory";
    constexpr int messages = 200;
    for (const std::int32_t has_unreachable : {0, 1}) {
        run_threads(2, {.warm_bytes = 0}, [&](Endpoint& endpoint) {
            const Unreachable memory;
            std::vector<std::byte> usual(most_bytes);
            for (int message = 0; message < messages; ++message) {
                const bool is_usual = message % 4 < 2 || endpoint.rank() != has_unreachable;
                std::byte* const place = is_usual ? usual.data() : memory.base();
                const auto expected = static_cast<std::byte>(message + 1);
                OperationList finished;
                Operation operation =
                    operation_of(1 - endpoint.rank(), place, most_bytes, finished);
                if (endpoint.rank() == 0) {
                    std::fill_n(place, most_bytes, expected);
                    endpoint.send(operation);
                } else {
                    endpoint.receive(operation);
                }
                endpoint.wait(finished, operation);
                ASSERT_EQ(std::count(place, place + most_bytes, expected), most_bytes) << message;
            }
            endpoint.flush();
            EXPECT_TRUE(endpoint.has_remote_copies());
        });
    }
}

}  // namespace
}  // namespace tasuki::test
