#include <atomic>
#include <gtest/gtest.h>
#include <thread>
#include <tuple>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "execute/characters.hpp"
#include "execute/spaced_elements.hpp"
#include "execute/step_machine.hpp"
#include "schedule/builder.hpp"
#include "transport/loopback/loopback.hpp"

namespace tasuki {
namespace {

using Sends = LoopbackWorld::Sends;

Program spread(std::int32_t rank, std::int32_t ranks) {
    const Algorithm* row = find_algorithm("alltoall", "spread");
    return row->generate(rank, {.ranks = ranks, .parameters = row->default_parameters()});
}

/// The buffers of one rank for an all-to-all of numbers: what it sends tells from where to where.
struct Numbers {
    Numbers(std::int32_t rank, std::int32_t ranks) : input(ranks), output(ranks, -1) {
        for (std::int32_t peer = 0; peer < ranks; ++peer) input[peer] = rank * 1000 + peer;
    }
    Binding binding(Transport& transport) {
        return {.input = Buffer::contiguous(input.data(), sizeof(std::int32_t)),
                .output = Buffer::contiguous(output.data(), sizeof(std::int32_t)),
                .scratch = {},
                .transport = &transport};
    }
    void expect_transposed(std::int32_t rank) const {
        for (std::size_t peer = 0; peer < output.size(); ++peer) {
            EXPECT_EQ(output[peer], static_cast<std::int32_t>(peer) * 1000 + rank);
        }
    }

    std::vector<std::int32_t> input;
    std::vector<std::int32_t> output;
};

class StepMachineOn : public testing::TestWithParam<Sends> {};

INSTANTIATE_TEST_SUITE_P(Both, StepMachineOn, testing::Values(Sends::synchronous, Sends::buffered),
                         [](const auto& info) {
                             return info.param == Sends::synchronous ? "synchronous" : "buffered";
                         });

TEST_P(StepMachineOn, RunsTheSameProgramManyTimes) {
    LoopbackWorld world(5, GetParam());
    world.run([](std::int32_t rank, Transport& transport) {
        StepMachine machine(spread(rank, 5));
        for (int execution = 0; execution < 20; ++execution) {
            Numbers numbers(rank, 5);
            machine.run(numbers.binding(transport));
            numbers.expect_transposed(rank);
            EXPECT_TRUE(machine.advance()) << "it is over and stays so";
        }
    });
}

TEST_P(StepMachineOn, AdvancesWithoutWaiting) {
    LoopbackWorld world(4, GetParam());
    world.run([](std::int32_t rank, Transport& transport) {
        StepMachine machine(spread(rank, 4));
        Numbers numbers(rank, 4);
        const Binding binding = numbers.binding(transport);
        machine.start(binding);
        while (!machine.advance()) std::this_thread::yield();
        numbers.expect_transposed(rank);
    });
}

TEST(StepMachine, DoesNotBlockWhileItsPeerIsLate) {
    LoopbackWorld world(2, Sends::synchronous);
    std::atomic<bool> polled = false;
    world.run([&](std::int32_t rank, Transport& transport) {
        StepMachine machine(spread(rank, 2));
        Numbers numbers(rank, 2);
        const Binding binding = numbers.binding(transport);
        if (rank == 0) {
            machine.start(binding);
            for (int i = 0; i < 10; ++i) EXPECT_FALSE(machine.advance());
            polled = true;
        } else {
            while (!polled) std::this_thread::yield();
            machine.start(binding);
        }
        machine.finish();
        numbers.expect_transposed(rank);
    });
}

TEST(StepMachine, FollowsAfterThroughScratch) {
    // Rank 0's number goes to rank 1, into its scratch, twice round and into the output.
    LoopbackWorld world(2, Sends::synchronous);
    world.run([](std::int32_t rank, Transport& transport) {
        ProgramBuilder builder(1, 1);
        const std::int32_t space = builder.reserve_scratch(2);
        if (rank == 0) {
            const StepId sent = builder.send(1, input(0));
            const StepId arrived = builder.recv(1, scratch(space), {sent});
            builder.copy(scratch(space), output(0), {arrived});
        } else {
            const StepId arrived = builder.recv(0, scratch(space));
            const StepId moved = builder.copy(scratch(space), scratch(space + 1), {arrived});
            const StepId sent = builder.send(0, scratch(space + 1), {moved});
            builder.copy(scratch(space + 1), output(0), {sent});
        }
        StepMachine machine(builder.finish());
        double value = rank == 0 ? 3.25 : 0;
        double result = 0;
        std::vector<double> memory(machine.program().scratch_chunks);
        machine.run({.input = Buffer::contiguous(&value, sizeof(double)),
                     .output = Buffer::contiguous(&result, sizeof(double)),
                     .scratch = Buffer::contiguous(memory.data(), sizeof(double)),
                     .transport = &transport});
        EXPECT_EQ(result, 3.25);
    });
}

TEST(StepMachine, ReducesInTheOrderOfItsOperands) {
    constexpr std::size_t width = 8;
    const Combine join = join_letters(width);
    for (const auto& [first, second, expected] :
         {std::tuple(Operand::right, Operand::right, "abc"),
          std::tuple(Operand::left, Operand::right, "bac"),
          std::tuple(Operand::left, Operand::left, "cba")}) {
        LoopbackWorld world(3, Sends::buffered);
        world.run([&](std::int32_t rank, Transport& transport) {
            ProgramBuilder builder(1, 1);
            if (rank == 0) {
                const std::int32_t space = builder.reserve_scratch(2);
                const StepId own = builder.copy(input(0), output(0));
                const StepId one = builder.recv(1, scratch(space));
                const StepId two = builder.recv(2, scratch(space + 1));
                const StepId added = builder.reduce(scratch(space), first, output(0), {own, one});
                builder.reduce(scratch(space + 1), second, output(0), {added, two});
            } else {
                builder.send(0, input(0));
            }
            StepMachine machine(builder.finish());
            char letters[width] = {static_cast<char>('a' + rank)};
            char result[width] = {};
            char memory[2 * width] = {};
            machine.run({.input = Buffer::contiguous(letters, width),
                         .output = Buffer::contiguous(result, width),
                         .scratch = Buffer::contiguous(memory, width),
                         .transport = &transport,
                         .combine = &join});
            if (rank == 0) {
                EXPECT_STREQ(result, expected);
            }
        });
    }
}

TEST(StepMachine, CarriesElementsWithGaps) {
    const SpacedElements type(4, 8);
    LoopbackWorld world(3, Sends::synchronous);
    world.run([&](std::int32_t rank, Transport& transport) {
        std::vector<std::int32_t> sent(6, -2);
        std::vector<std::int32_t> received(3, -1);
        for (std::int32_t peer = 0; peer < 3; ++peer) sent[2 * peer] = rank * 1000 + peer;
        StepMachine machine(spread(rank, 3));
        machine.run({.input = {reinterpret_cast<std::byte*>(sent.data()), 4, 8, 1, &type},
                     .output = Buffer::contiguous(received.data(), 4),
                     .scratch = {},
                     .transport = &transport});
        for (std::int32_t peer = 0; peer < 3; ++peer) {
            EXPECT_EQ(received[peer], peer * 1000 + rank);
        }
    });
}

/// Counts messages, which arrive nowhere.
class Counter final : public Transport {
  public:
    void start_send(const Message&, StepId step) override { begin(step); }
    void start_recv(const Message&, StepId step) override { begin(step); }
    void collect(Patience, std::vector<StepId>& completed) override {
        completed.insert(completed.end(), under_way_.begin(), under_way_.end());
        under_way_.clear();
    }
    void wait_for_all() override { under_way_.clear(); }
    void abandon() noexcept override {}
    int messages() const { return messages_; }

  private:
    void begin(StepId step) {
        under_way_.push_back(step);
        ++messages_;
    }

    std::vector<StepId> under_way_;
    int messages_ = 0;
};

/// How many messages an exchange of two chunks with another rank takes, which have so many bytes;
/// and a message without chunks.
int messages_of(std::int64_t first, std::int64_t second, bool one_after_another) {
    ProgramBuilder builder(2, 2);
    std::vector<StepId> before;
    const auto next = [&](StepId step) {
        if (one_after_another) before = {step};
    };
    next(builder.recv(1, output(0)));
    next(builder.recv(1, output(1), before));
    next(builder.send(1, input(0), before));
    next(builder.send(1, input(1), before));
    next(builder.send(1, input(0, 2), before));
    builder.send(1, nothing(), before);
    std::byte memory[8]{};
    const auto chunks = UnevenChunks::packed(std::vector{first, second});
    Buffer buffer = Buffer::contiguous(memory, 1);
    buffer.uneven = &chunks;
    Counter transport;
    StepMachine(builder.finish())
        .run({.input = buffer, .output = buffer, .scratch = {}, .transport = &transport});
    return transport.messages();
}

TEST(StepMachine, LeavesOutMessagesOfChunksWithoutBytes) {
    for (const bool one_after_another : {false, true}) {
        EXPECT_EQ(messages_of(4, 4, one_after_another), 2 + 2 + 1 + 1);
        EXPECT_EQ(messages_of(4, 0, one_after_another), 1 + 1 + 1 + 1);
        EXPECT_EQ(messages_of(0, 0, one_after_another), 1);
    }
}

TEST(StepMachine, OfAnEmptyProgramIsOverAtOnce) {
    StepMachine machine(Program{});
    const Binding binding;
    machine.start(binding);
    EXPECT_TRUE(machine.advance());
    machine.finish();
}

}  // namespace
}  // namespace tasuki
