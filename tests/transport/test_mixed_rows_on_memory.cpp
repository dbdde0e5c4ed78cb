// Rows of all collectives one after the other on the same endpoints, in random order and of random
// sizes, by every way that messages can take: what one leaves behind must not harm the next.
#include <array>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <thread>

#include "transport/executed.hpp"
#include "transport/memory_world.hpp"

namespace tasuki::test {
namespace {

/// Limits so low that short messages take the ways of long ones.
constexpr std::uint64_t direct = memory::small_bytes + 24;
constexpr std::array<Settings, 6> ways = {{
    {},
    {.direct_bytes = direct, .warm_bytes = 0},
    {.direct_bytes = direct, .warm_bytes = 0, .shared_bytes = 512, .share_block_bytes = 100},
    {.direct_bytes = direct, .warm_bytes = 1000},
    {.direct_bytes = direct, .warm_bytes = 0, .remote_copies = false},
    {.memory_limit = 400000, .direct_bytes = 800},
}};
constexpr std::array<std::int64_t, 13> sizes = {
    0,      1,   8,    40,    41,    100, memory::small_bytes, memory::small_bytes + 1,
    direct, 900, 5000, 40000, 300000};

struct Execution {
    Schedule schedule;
    std::int64_t chunk_bytes;
    bool is_posted;
    Outputs expected;
};

/// Of a random row, with random parameters and root.
Schedule draw_schedule(std::int32_t ranks, std::mt19937& random) {
    const auto all = rows();
    for (;;) {
        const Algorithm& row = *all[random() % all.size()];
        const auto parameters = combinations(row, ranks);
        const auto possible_roots = roots(row, ranks, Roots::all);
        const Instance instance{ranks, possible_roots[random() % possible_roots.size()],
                                parameters[random() % parameters.size()],
                                Placement::one_node(ranks)};
        if (row.outside_domain(instance).empty()) return row.schedule(instance);
    }
}

std::vector<Execution> draw_executions(std::int32_t ranks, int count, std::mt19937& random) {
    std::vector<Execution> list;
    while (static_cast<int>(list.size()) < count) {
        const Schedule schedule = draw_schedule(ranks, random);
        std::int64_t chunk_bytes = sizes[random() % sizes.size()];
        // Of rows that cut vectors into many chunks.
        if (schedule.programs[0].output_chunks > 16)
            chunk_bytes = std::min<std::int64_t>(chunk_bytes, 900);
        const Outputs expected = outputs_of(schedule, chunk_bytes);
        // Loops call the same again.
        for (unsigned again = 1 + random() % 4; again > 0; --again) {
            list.push_back({schedule, chunk_bytes, random() % 3 == 0, expected});
        }
    }
    return list;
}

void run(std::int32_t ranks, const Settings& settings, const std::vector<Execution>& executions) {
    run_threads(ranks, settings, [&](Endpoint& endpoint) {
        std::vector<std::int32_t> all(ranks);
        std::iota(all.begin(), all.end(), 0);
        MemoryTransport transport(endpoint, all, 0);
        AllBoards boards{memory::Boards(endpoint, memory::BoardKind::small),
                         memory::Boards(endpoint, memory::BoardKind::large)};
        const std::int32_t rank = endpoint.rank();
        std::mt19937 random(rank);
        for (std::size_t i = 0; i < executions.size(); ++i) {
            const auto& [schedule, chunk_bytes, is_posted, expected] = executions[i];
            // Ranks come late, in turn.
            if (random() % 4 == 0) std::this_thread::yield();
            if (is_posted) {
                execute_posted(schedule, rank, chunk_bytes, boards, expected[rank]);
                continue;
            }
            std::vector<std::byte> output;
            execute<MemoryTransport>(schedule.programs[rank], rank, chunk_bytes, transport, output);
            ASSERT_TRUE(output == expected[rank])
                << text_of(schedule) << ", " << chunk_bytes << " bytes a chunk, execution " << i;
        }
        endpoint.flush();
    });
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(EveryRow);

TEST(MixedRows, GiveTheSameBytesInMemory) {
    for (unsigned seed = 0; seed < 36; ++seed) {
        std::mt19937 random(seed);
        const auto ranks = static_cast<std::int32_t>(2 + random() % 5);
        const Settings& settings = ways[seed % ways.size()];
        run(ranks, settings, draw_executions(ranks, 60, random));
        if (HasFailure()) {
            FAIL() << "seed " << seed;
        }
    }
}

}  // namespace
}  // namespace tasuki::test
