// Executes every row on the memory transport and on loopback, which must give the same bytes.
#include <array>
#include <deque>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

#include "algorithms/arrivals.hpp"
#include "transport/executed.hpp"
#include "transport/memory_world.hpp"

namespace tasuki::test {
namespace {

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
    std::deque<Arrivals> arrivals;
    for (std::size_t i = 0; i < schedules.size(); ++i) arrivals.emplace_back(ranks);
    run_threads(ranks, {}, [&](Endpoint& endpoint) {
        std::vector<std::int32_t> all(ranks);
        std::iota(all.begin(), all.end(), 0);
        MemoryTransport transport(endpoint, all, 0);
        AllBoards boards{memory::Boards(endpoint, memory::BoardKind::small),
                         memory::Boards(endpoint, memory::BoardKind::large)};
        const std::int32_t rank = endpoint.rank();
        for (std::size_t i = 0; i < schedules.size(); ++i) {
            std::vector<std::byte> output;
            arrivals[i].arrive(rank);
            execute<MemoryTransport>(schedules[i].programs[rank], rank, sizes[i], transport,
                                     output);
            if (contract_of(schedules[i].collective)->synchronises()) arrivals[i].expect_all();
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
            expected.push_back(outputs_of(schedule, sizes.back()));
        }
        run_all(list, ranks, sizes, expected);
        if (HasFatalFailure()) return;
    }
}

}  // namespace tasuki::test
