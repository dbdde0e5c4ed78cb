// The transport of the step machine in memory, between threads and between processes.
#include <algorithm>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

#include "algorithms/gapped_type.hpp"
#include "transport/memory/memory_transport.hpp"
#include "transport/memory_world.hpp"
#include "transport/one_thread.hpp"

namespace tasuki::test {
namespace {

using memory::MemoryTransport;

/// Runs `body(rank, transport)` on `ranks` threads, then on as many processes.
template <typename Body>
void run_both(std::int32_t ranks, const Body& body, const Settings& settings = {}) {
    const RankBody rank_body = [&](Endpoint& endpoint) {
        std::vector<std::int32_t> all(ranks);
        std::iota(all.begin(), all.end(), 0);
        MemoryTransport transport(endpoint, all, 3);
        body(endpoint.rank(), transport);
        endpoint.flush();
    };
    run_threads(ranks, settings, rank_body);
    EXPECT_TRUE(end_well(start_processes(ranks, settings, rank_body)));
}

TEST(MemoryTransport, CarriesAMessage) {
    run_both(2, [](std::int32_t rank, Transport& transport) {
        std::vector<std::int32_t> numbers{10 * rank, 10 * rank + 1, 10 * rank + 2};
        const Buffer buffer = Buffer::contiguous(numbers.data(), sizeof(std::int32_t));
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

TEST(MemoryTransport, PacksElementsWithGaps) {
    run_both(2, [](std::int32_t rank, Transport& transport) {
        for (const std::int64_t elements : {3, 300, 30000}) {
            const GappedType type({{0, 2}, {4, 3}}, 11);
            std::vector<std::byte> bytes(elements * type.extent(), std::byte{0xEE});
            std::vector<std::byte> packed = std::vector<std::byte>(elements * type.bytes());
            for (std::size_t i = 0; i < packed.size(); ++i) packed[i] = std::byte(i * 13 & 0xff);
            if (rank == 0) type.unpack(packed.data(), bytes.data(), elements);
            const Buffer buffer{
                bytes.data(), elements * type.bytes(), elements * type.extent(), elements, &type,
                nullptr};
            if (rank == 0) transport.start_send({1, 1, &buffer, 0, 1}, 0);
            if (rank == 1) transport.start_recv({0, 1, &buffer, 0, 1}, 0);
            transport.wait_for_all();
            std::vector<std::byte> got(packed.size());
            type.pack(bytes.data(), elements, got.data());
            EXPECT_EQ(got, packed);
        }
    });
}

TEST(MemoryTransport, CountsThatElementsWithGapsArePackedAndUnpacked) {
    run_threads(2, {}, [](Endpoint& endpoint) {
        constexpr std::int64_t elements = 300;
        const GappedType type({{0, 2}, {4, 3}}, 11);
        std::vector<std::byte> bytes(elements * type.extent());
        const Buffer buffer{
            bytes.data(), elements * type.bytes(), elements * type.extent(), elements, &type,
            nullptr};
        MemoryTransport transport(endpoint, {0, 1}, 0);
        if (endpoint.rank() == 0) transport.start_send({1, 1, &buffer, 0, 1}, 0);
        if (endpoint.rank() == 1) transport.start_recv({0, 1, &buffer, 0, 1}, 0);
        transport.wait_for_all();
        // Packed and put into a block; taken out of it and unpacked.
        const std::uint64_t twice = 2 * elements * type.bytes();
        EXPECT_EQ(endpoint.counters().copied_bytes, twice);
    });
}

TEST(MemoryTransport, RefusesAMessageOfAnotherSize) {
    const auto body = [](Endpoint& endpoint) {
        MemoryTransport transport(endpoint, {0, 1}, 0);
        std::vector<std::byte> bytes(8);
        const Buffer buffer = Buffer::contiguous(bytes.data(), 1);
        if (endpoint.rank() == 0) transport.start_send({1, 0, &buffer, 0, 8}, 0);
        if (endpoint.rank() == 1) transport.start_recv({0, 0, &buffer, 0, 4}, 0);
        transport.wait_for_all();
    };
    EXPECT_THROW(run_threads(2, {}, body), std::runtime_error);
}

// Short ones are posted only when they do not come at once, long ones always.
TEST(MemoryTransport, TakesMessagesOfATagInOrder) {
    const std::vector<std::int32_t> lengths = {
        8, 3000, memory::small_bytes, 40, memory::small_bytes + 1, 100, 8, 8};
    for (const bool polls : {false, true}) {
        run_both(2, [&](std::int32_t rank, Transport& transport) {
            std::vector<std::vector<std::byte>> memory;
            std::vector<Buffer> buffers;
            for (const std::int32_t length : lengths) {
                const auto number = static_cast<unsigned>(memory.size());
                memory.push_back(rank == 0 ? content(length, number)
                                           : std::vector<std::byte>(length));
                buffers.push_back(Buffer::contiguous(memory.back().data(), 1));
            }
            for (std::size_t i = 0; i < lengths.size(); ++i) {
                const Message message{1 - rank, 7, &buffers[i], 0, lengths[i]};
                const auto step = static_cast<StepId>(i);
                rank == 0 ? transport.start_send(message, step)
                          : transport.start_recv(message, step);
            }
            std::vector<StepId> completed;
            while (polls && completed.size() < lengths.size()) {
                transport.collect(Patience::poll, completed);
            }
            transport.wait_for_all();
            for (std::size_t i = 0; i < lengths.size(); ++i) {
                EXPECT_EQ(memory[i], content(lengths[i], static_cast<unsigned>(i))) << i;
            }
        });
    }
}

/// Every rank sends to every other, of all sizes, in an order of its own.
void exchange(std::int32_t rank, std::int32_t ranks, Transport& transport, unsigned seed,
              int rounds) {
    std::mt19937 random(seed);  // alike on all ranks
    const std::vector<std::int64_t> sizes{0,    8,     40,    41,    memory::small_bytes,
                                          5000, 20000, 40000, 150000};
    for (int round = 0; round < rounds; ++round) {
        std::vector<std::vector<std::byte>> memory;
        std::vector<Buffer> buffers;
        const int messages = 1 + static_cast<int>(random() % 6);
        std::vector<std::int64_t> bytes;
        for (int i = 0; i < messages * ranks * ranks; ++i) bytes.push_back(sizes[random() % 9]);
        const auto value = [&](int from, int to, int i, std::int64_t at) {
            return static_cast<std::byte>((from * 5 + to * 11 + i * 3 + round + at) & 0xff);
        };
        struct Planned {
            int peer;
            int number;
            bool is_receive;
        };
        std::vector<Planned> plan;
        for (int peer = 0; peer < ranks; ++peer) {
            for (int i = 0; i < messages; ++i) {
                plan.push_back({peer, i, true});
                plan.push_back({peer, i, false});
            }
        }
        std::mt19937 own(seed + 1000 * round + rank);
        std::shuffle(plan.begin(), plan.end(), own);
        memory.resize(plan.size());
        buffers.resize(plan.size());
        std::vector<StepId> completed;
        for (std::size_t step = 0; step < plan.size(); ++step) {
            const auto [peer, i, is_receive] = plan[step];
            const int from = is_receive ? peer : rank;
            const int to = is_receive ? rank : peer;
            const std::int64_t size = bytes[(from * ranks + to) * messages + i];
            memory[step].resize(size, std::byte{0xEE});
            if (!is_receive) {
                for (std::int64_t at = 0; at < size; ++at)
                    memory[step][at] = value(from, to, i, at);
            }
            buffers[step] = Buffer::contiguous(memory[step].data(), size);
            const Message message{peer, i, &buffers[step], 0, 1};
            if (is_receive) {
                transport.start_recv(message, static_cast<StepId>(step));
            } else {
                transport.start_send(message, static_cast<StepId>(step));
            }
            if (own() % 3 == 0) transport.collect(Patience::poll, completed);
        }
        while (completed.size() < plan.size()) transport.collect(Patience::wait, completed);
        for (std::size_t step = 0; step < plan.size(); ++step) {
            const auto [peer, i, is_receive] = plan[step];
            if (!is_receive) continue;
            for (std::int64_t at = 0; at < static_cast<std::int64_t>(memory[step].size()); ++at) {
                ASSERT_EQ(memory[step][at], value(peer, rank, i, at));
            }
        }
    }
}

TEST(MemoryTransport, CarriesEverythingInAnyOrder) {
    for (const std::int32_t ranks : {1, 2, 3, 5}) {
        for (const bool remote_copies : {true, false}) {
            run_both(ranks,
                     [&](std::int32_t rank, Transport& transport) {
                         exchange(rank, ranks, transport, 17 * ranks, 6);
                     },
                     {.remote_copies = remote_copies});
        }
    }
}

// Records, blocks and requests run out all the time.
TEST(MemoryTransport, CarriesEverythingWithLittleMemory) {
    run_both(3,
             [&](std::int32_t rank, Transport& transport) { exchange(rank, 3, transport, 99, 10); },
             {.memory_limit = 45000, .direct_bytes = 1000});
}

// Large messages of which each end copies some, where there are two cores.
TEST(MemoryTransport, CarriesEverythingThatBothEndsCopy) {
    run_both(
        2, [&](std::int32_t rank, Transport& transport) { exchange(rank, 2, transport, 7, 30); },
        {.direct_bytes = 1000, .warm_bytes = 0, .shared_bytes = 2000, .share_block_bytes = 700});
}

TEST(MemoryTransport, RanksOfACommunicatorAreNotThoseOfTheNode) {
    run_threads(3, {}, [](Endpoint& endpoint) {
        if (endpoint.rank() == 1) return;
        MemoryTransport transport(endpoint, {2, 0}, 0);
        std::vector<std::int32_t> number{endpoint.rank()};
        const Buffer buffer = Buffer::contiguous(number.data(), sizeof(std::int32_t));
        if (endpoint.rank() == 2) transport.start_send({1, 0, &buffer, 0, 1}, 0);
        if (endpoint.rank() == 0) transport.start_recv({0, 0, &buffer, 0, 1}, 0);
        transport.wait_for_all();
        EXPECT_EQ(number[0], 2);
    });
}

TEST(MemoryTransport, CommunicatorsThatShareAnEndpointDoNotMeet) {
    run_threads(2, {}, [](Endpoint& endpoint) {
        MemoryTransport one(endpoint, {0, 1}, 1);
        MemoryTransport two(endpoint, {0, 1}, 2);
        std::array<std::int32_t, 2> numbers{10, 20};
        const Buffer buffer = Buffer::contiguous(numbers.data(), sizeof(std::int32_t));
        if (endpoint.rank() == 0) {
            one.start_send({1, 0, &buffer, 0, 1}, 0);
            two.start_send({1, 0, &buffer, 1, 1}, 0);
        } else {
            two.start_recv({0, 0, &buffer, 0, 1}, 0);
            one.start_recv({0, 0, &buffer, 1, 1}, 0);
        }
        two.wait_for_all();
        one.wait_for_all();
        if (endpoint.rank() == 1) {
            EXPECT_EQ(numbers, (std::array<std::int32_t, 2>{20, 10}));
        }
    });
}

}  // namespace
}  // namespace tasuki::test
