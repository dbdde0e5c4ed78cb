// Executes every row on the memory transport and on loopback, which must give the same bytes.
#include <array>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

#include "algorithms/cases.hpp"
#include "execute/posted_round.hpp"
#include "execute/step_machine.hpp"
#include "transport/loopback/loopback.hpp"
#include "transport/memory/memory_transport.hpp"
#include "transport/memory_world.hpp"

namespace tasuki::test {
namespace {

using memory::MemoryTransport;
using Outputs = std::vector<std::vector<std::byte>>;

/// Neither commutative nor associative: what is combined in another order is another result.
void combine_bytes(const std::byte* from, Operand from_operand, std::byte* to, std::int64_t bytes) {
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
void execute_posted(const Schedule& schedule, std::int32_t rank, std::int64_t chunk_bytes,
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

/// Of many schedules of a row about 12, evenly: what differs between the others is proved
/// elsewhere.
std::vector<Schedule> some_of(std::vector<Schedule> all) {
    std::vector<Schedule> some;
    const std::size_t distance = (all.size() + 11) / 12;
    for (std::size_t i = 0; i < all.size(); i += distance) some.push_back(std::move(all[i]));
    return some;
}

/// Threads and their segments are made once for all schedules of a number of ranks.
void run_all(const std::vector<Schedule>& schedules, std::int32_t ranks,
             const std::vector<std::int64_t>& sizes, const std::vector<Outputs>& expected) {
    run_threads(ranks, {}, [&](Endpoint& endpoint) {
        std::vector<std::int32_t> all(ranks);
        std::iota(all.begin(), all.end(), 0);
        MemoryTransport transport(endpoint, all, 0);
        AllBoards boards{memory::Boards(endpoint, memory::BoardKind::small),
                         memory::Boards(endpoint, memory::BoardKind::large)};
        const std::int32_t rank = endpoint.rank();
        for (std::size_t i = 0; i < schedules.size(); ++i) {
            std::vector<std::byte> output;
            execute<MemoryTransport>(schedules[i].programs[rank], rank, sizes[i], transport,
                                     output);
            ASSERT_EQ(output, expected[i][rank])
                << text_of(schedules[i]) << ", " << sizes[i] << " bytes a chunk";
            execute_posted(schedules[i], rank, sizes[i], boards, expected[i][rank]);
        }
        endpoint.flush();
    });
}

}  // namespace

TEST_P(EveryRow, GivesTheSameBytesInMemory) {
    std::mt19937 random(19980312);
    for (std::int32_t ranks = 1; ranks <= 9; ++ranks) {
        const std::vector<Schedule> list = some_of(schedules(*GetParam(), ranks));
        std::vector<std::int64_t> sizes;
        std::vector<Outputs> expected;
        for (const Schedule& schedule : list) {
            sizes.push_back(std::array<std::int64_t, 5>{0, 7, 300, 9000, 40000}[random() % 5]);
            expected.emplace_back(ranks);
            LoopbackWorld world(ranks, LoopbackWorld::Sends::buffered);
            world.run([&](std::int32_t rank, Transport& transport) {
                execute(schedule.programs[rank], rank, sizes.back(), transport,
                        expected.back()[rank]);
            });
        }
        run_all(list, ranks, sizes, expected);
        if (HasFatalFailure()) return;
    }
}

}  // namespace tasuki::test
