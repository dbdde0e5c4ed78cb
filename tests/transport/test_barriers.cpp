// No rank leaves a barrier before all have entered it: every row of the barrier with all its
// parameters, on every carrier, by messages and posted, many times in a row without anything
// between two of them but a rank that comes late.
#include <array>
#include <atomic>
#include <functional>
#include <gtest/gtest.h>
#include <numeric>
#include <thread>
#include <vector>

#include "schedule/builder.hpp"
#include "transport/executed.hpp"
#include "transport/memory_world.hpp"
#include "transport/one_thread.hpp"
#include "transport/split_transport.hpp"

namespace tasuki::test {
namespace {

constexpr std::int32_t most_ranks = 17;

/// Who has entered which of a row of barriers.
class Meeting {
  public:
    explicit Meeting(std::int32_t ranks) : entered_(static_cast<std::size_t>(ranks)) {}

    /// Another rank comes late each time.
    void enter(std::int32_t rank) {
        const std::int32_t barrier = entered_[rank].load(std::memory_order_relaxed);
        const auto ranks = static_cast<std::int32_t>(entered_.size());
        for (int i = 0; i < 3 && rank == 5 * barrier % ranks; ++i) std::this_thread::yield();
        entered_[rank].store(barrier + 1, std::memory_order_relaxed);
    }
    /// As one sees it who has left the barrier that it entered last; the barrier itself has to see
    /// to it that what others did before is seen.
    bool is_complete_for(std::int32_t rank) const {
        const std::int32_t mine = entered_[rank].load(std::memory_order_relaxed);
        for (const std::atomic<std::int32_t>& other : entered_) {
            const std::int32_t theirs = other.load(std::memory_order_relaxed);
            // Who leaves may enter the next one, but not leave that.
            if (theirs != mine && theirs != mine + 1) return false;
        }
        return true;
    }

  private:
    std::vector<std::atomic<std::int32_t>> entered_;
};

/// Every row, with all parameters that make another schedule.
std::vector<Schedule> barriers(std::int32_t ranks) {
    std::vector<Schedule> list;
    for (const Algorithm* row : rows()) {
        if (row->collective != "barrier") continue;
        for (Schedule& made : schedules(*row, ranks)) list.push_back(std::move(made));
    }
    return list;
}

/// One rank's side of a barrier.
using Barrier = std::function<void()>;

/// `around(rank, barrier)` is called for each of `list`, on a carrier.
using Around = std::function<void(std::int32_t, const Barrier&)>;

template <typename Carrier>
void by_messages(const std::vector<Schedule>& list, std::int32_t rank, Carrier& carrier,
                 const Around& around) {
    Binding binding;
    binding.transport = &carrier;
    for (const Schedule& schedule : list) {
        SCOPED_TRACE(text_of(schedule));
        StepMachineOn<Carrier> machine(schedule.programs[rank]);
        around(rank, [&] { machine.run(binding); });
    }
}

/// Those that are of one round.
void by_posts(const std::vector<Schedule>& list, std::int32_t rank, memory::Boards& boards,
              const Around& around) {
    const Binding binding;
    for (const Schedule& schedule : list) {
        SCOPED_TRACE(text_of(schedule) + ", posted");
        const auto generate = [&](std::int32_t peer) { return schedule.programs[peer]; };
        const auto ranks = static_cast<std::int32_t>(schedule.programs.size());
        auto round = PostedRound::of(schedule.programs[rank], rank, ranks, generate);
        if (round) around(rank, [&] { round->run(binding, boards); });
    }
}

std::vector<std::int32_t> first(std::int32_t ranks) {
    std::vector<std::int32_t> list(ranks);
    std::iota(list.begin(), list.end(), 0);
    return list;
}

void on_loopback(const std::vector<Schedule>& list, std::int32_t ranks, LoopbackWorld::Sends sends,
                 const Around& around) {
    LoopbackWorld world(ranks, sends);
    world.run([&](std::int32_t rank, Transport& transport) {
        by_messages<Transport>(list, rank, transport, around);
    });
}

void on_memory(const std::vector<Schedule>& list, std::int32_t ranks, const Around& around) {
    run_threads(ranks, {}, [&](Endpoint& endpoint) {
        MemoryTransport transport(endpoint, first(ranks), 0);
        by_messages<MemoryTransport>(list, endpoint.rank(), transport, around);
        endpoint.flush();
    });
}

void on_boards(const std::vector<Schedule>& list, std::int32_t ranks, memory::BoardKind kind,
               const Around& around) {
    run_threads(ranks, {}, [&](Endpoint& endpoint) {
        memory::Boards boards(endpoint, kind);
        by_posts(list, endpoint.rank(), boards, around);
        endpoint.flush();
    });
}

/// Even and odd ranks are two nodes.
void on_two_nodes(const std::vector<Schedule>& list, std::int32_t ranks, const Around& around) {
    std::vector<std::int32_t> nodes(ranks);
    for (std::int32_t rank = 0; rank < ranks; ++rank) nodes[rank] = rank % 2;
    const Placement placement = Placement::from_nodes(nodes);
    OneThread even((ranks + 1) / 2), odd(std::max(1, ranks / 2));
    LoopbackWorld world(ranks, LoopbackWorld::Sends::synchronous);
    world.run([&](std::int32_t rank, Transport& outside) {
        memory::Endpoint& endpoint = (rank % 2 == 0 ? even : odd)[placement.local_of(rank)];
        MemoryTransport inside(endpoint, first(placement.ranks_on(rank % 2)), 0);
        SplitTransport transport(endpoint, inside, outside, placement, rank);
        by_messages<SplitTransport>(list, rank, transport, around);
        endpoint.flush();
    });
}

enum class Carried : std::uint8_t {
    by_synchronous_sends,
    by_buffered_sends,
    by_memory,
    on_small_boards,
    on_large_boards,
    between_two_nodes
};

bool is_posted(Carried how) {
    return how == Carried::on_small_boards || how == Carried::on_large_boards;
}

void run(Carried how, const std::vector<Schedule>& list, std::int32_t ranks, const Around& around) {
    switch (how) {
        case Carried::by_synchronous_sends:
            return on_loopback(list, ranks, LoopbackWorld::Sends::synchronous, around);
        case Carried::by_buffered_sends:
            return on_loopback(list, ranks, LoopbackWorld::Sends::buffered, around);
        case Carried::by_memory:
            return on_memory(list, ranks, around);
        case Carried::on_small_boards:
            return on_boards(list, ranks, memory::BoardKind::small, around);
        case Carried::on_large_boards:
            return on_boards(list, ranks, memory::BoardKind::large, around);
        case Carried::between_two_nodes:
            return on_two_nodes(list, ranks, around);
    }
}

class Barriers : public testing::TestWithParam<Carried> {};

TEST_P(Barriers, AreLeftWhenAllHaveEntered) {
    // What is posted costs less.
    const int repetitions = is_posted(GetParam()) ? 400 : 40;
    // There are no large boards for fewer than three ranks.
    const std::int32_t fewest_ranks = GetParam() == Carried::on_large_boards ? 3 : 1;
    for (std::int32_t ranks = fewest_ranks; ranks <= most_ranks; ++ranks) {
        Meeting meeting(ranks);
        std::atomic<int> crossed = 0;
        run(GetParam(), barriers(ranks), ranks, [&](std::int32_t rank, const Barrier& barrier) {
            for (int i = 0; i < repetitions; ++i) {
                meeting.enter(rank);
                barrier();
                ASSERT_TRUE(meeting.is_complete_for(rank)) << "rank " << rank << " of " << ranks;
                crossed.fetch_add(1, std::memory_order_relaxed);
            }
        });
        if (HasFatalFailure()) return;
        // The largest radix makes one round of any number of ranks, which can be posted.
        EXPECT_GE(crossed.load(), repetitions * ranks);
    }
}

// The last rank waits for somebody to leave without it.
TEST_P(Barriers, ThatOneIsLeftOutOfWouldBeFound) {
    constexpr std::int32_t ranks = 5;
    const Algorithm& row = *find_algorithm("barrier", "dissemination");
    Parameters parameters = row.default_parameters();
    parameters.set("radix", ranks);
    Schedule broken = row.schedule({ranks - 1, 0, parameters, Placement::one_node(ranks - 1)});
    broken.programs.push_back(ProgramBuilder(0, 0).finish());
    Meeting meeting(ranks);
    std::atomic<int> found = 0;
    run(GetParam(), {broken}, ranks, [&](std::int32_t rank, const Barrier& barrier) {
        while (rank == ranks - 1 && found.load() == 0) std::this_thread::yield();
        meeting.enter(rank);
        barrier();
        if (!meeting.is_complete_for(rank)) ++found;
    });
    EXPECT_GE(found.load(), 1);
}

std::string name_of(const testing::TestParamInfo<Carried>& info) {
    static const std::array<const char*, 6> names = {"BySynchronousSends", "ByBufferedSends",
                                                     "ByMemory",           "OnSmallBoards",
                                                     "OnLargeBoards",      "BetweenTwoNodes"};
    return names[static_cast<std::size_t>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(Carriers, Barriers,
                         testing::Values(Carried::by_synchronous_sends, Carried::by_buffered_sends,
                                         Carried::by_memory, Carried::on_small_boards,
                                         Carried::on_large_boards, Carried::between_two_nodes),
                         name_of);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(EveryRow);

}  // namespace
}  // namespace tasuki::test
