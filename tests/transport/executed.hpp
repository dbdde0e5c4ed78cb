// Executes one rank's program of a schedule on a transport, or posts its round, with data by which
// orders of reduction can be told apart.
#pragma once

#include <array>
#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "algorithms/cases.hpp"
#include "execute/posted_round.hpp"
#include "execute/step_machine.hpp"
#include "transport/loopback/loopback.hpp"
#include "transport/memory/memory_transport.hpp"

namespace tasuki::test {

using memory::MemoryTransport;
using Outputs = std::vector<std::vector<std::byte>>;

/// Neither commutative nor associative: what is combined in another order is another result.
inline void combine_bytes(const std::byte* from, Operand from_operand, std::byte* to,
                          std::int64_t bytes) {
    for (std::int64_t i = 0; i < bytes; ++i) {
        const auto mine = static_cast<unsigned>(to[i]);
        const auto other = static_cast<unsigned>(from[i]);
        to[i] = static_cast<std::byte>(
            (from_operand == Operand::left ? 3 * other + mine : 3 * mine + other) & 0xff);
    }
}

/// `run` gets what the program is bound to.
template <typename Run>
void execute_by(const Program& program, std::int32_t rank, std::int64_t chunk_bytes,
                std::vector<std::byte>& output, const Run& run) {
    std::mt19937 random(rank);
    std::vector<std::byte> input(program.input_chunks * chunk_bytes);
    for (std::byte& byte : input) byte = static_cast<std::byte>(random());
    std::vector<std::byte> scratch(program.scratch_chunks * chunk_bytes);
    output.assign(program.output_chunks * chunk_bytes, std::byte{0xEE});
    const Combine combine = combine_bytes;
    run(Binding{.input = Buffer::contiguous(input.data(), chunk_bytes),
                .output = Buffer::contiguous(output.data(), chunk_bytes),
                .scratch = Buffer::contiguous(scratch.data(), chunk_bytes),
                .combine = &combine});
}

template <typename Carrier>
void execute(const Program& program, std::int32_t rank, std::int64_t chunk_bytes,
             Carrier& transport, std::vector<std::byte>& output) {
    StepMachineOn<Carrier> machine(program);
    execute_by(program, rank, chunk_bytes, output, [&](Binding binding) {
        binding.transport = &transport;
        machine.run(binding);
    });
}

using AllBoards = std::array<memory::Boards, memory::board_kinds>;

/// On the first boards that have room for it, where the schedule is of one round.
inline void execute_posted(const Schedule& schedule, std::int32_t rank, std::int64_t chunk_bytes,
                           AllBoards& boards, const std::vector<std::byte>& expected) {
    const auto generate = [&](std::int32_t peer) { return schedule.programs[peer]; };
    auto round = PostedRound::of(schedule.programs[rank], rank, schedule.instance.ranks, generate);
    for (memory::Boards& kind : boards) {
        if (!round || round->facts().most_posted * chunk_bytes > kind.room_bytes()) continue;
        std::vector<std::byte> output;
        execute_by(schedule.programs[rank], rank, chunk_bytes, output,
                   [&](const Binding& binding) { round->run(binding, kind); });
        ASSERT_EQ(output, expected)
            << text_of(schedule) << ", posted, " << chunk_bytes << " bytes a chunk";
    }
}

/// What loopback gives, for each rank.
inline Outputs outputs_of(const Schedule& schedule, std::int64_t chunk_bytes) {
    const std::int32_t ranks = schedule.instance.ranks;
    Outputs outputs(ranks);
    LoopbackWorld world(ranks, LoopbackWorld::Sends::buffered);
    world.run([&](std::int32_t rank, Transport& transport) {
        execute(schedule.programs[rank], rank, chunk_bytes, transport, outputs[rank]);
    });
    return outputs;
}

}  // namespace tasuki::test
