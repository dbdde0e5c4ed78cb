// What ranks post for all others of their node.
#include <chrono>
#include <csignal>
#include <cstring>
#include <gtest/gtest.h>
#include <thread>

#include "transport/memory/boards.hpp"
#include "transport/memory_world.hpp"

namespace tasuki::test {
namespace {

using memory::BoardKind;
using memory::Boards;

constexpr std::uint64_t calls = 2000;

std::uint64_t number(std::int32_t rank, std::uint64_t call) {
    return 1000 * call + static_cast<std::uint64_t>(rank);
}

void post_number(Boards& boards, std::int32_t rank, std::uint64_t call) {
    const std::uint64_t posted = number(rank, call);
    std::memcpy(boards.room(sizeof posted), &posted, sizeof posted);
    boards.post();
}

void expect_number(Boards& boards, std::int32_t rank, std::uint64_t call) {
    const std::byte* there = boards.look(rank);
    if (there == nullptr) there = boards.wait(rank, sizeof(std::uint64_t));
    std::uint64_t read = 0;
    std::memcpy(&read, there, sizeof read);
    ASSERT_EQ(read, number(rank, call));
}

class BoardsOf : public testing::TestWithParam<BoardKind> {};

TEST_P(BoardsOf, EverybodyReadsWhatEverybodyPosts) {
    run_threads(5, {}, [](Endpoint& endpoint) {
        Boards boards(endpoint, GetParam());
        for (std::uint64_t call = 0; call < calls; ++call) {
            post_number(boards, endpoint.rank(), call);
            for (std::int32_t peer = 0; peer < 5; ++peer) expect_number(boards, peer, call);
            boards.finish();
        }
    });
}

// Whoever posts alone runs ahead as far as there are slots, and no further: what it posts next
// would lie where the slow ones still read.
TEST_P(BoardsOf, APostStaysUntilTheSlowestHasReadIt) {
    run_threads(4, {}, [](Endpoint& endpoint) {
        Boards boards(endpoint, GetParam());
        for (std::uint64_t call = 0; call < calls; ++call) {
            const auto writer = static_cast<std::int32_t>(call / 300 % 4);
            if (endpoint.rank() == writer) {
                post_number(boards, writer, call);
            } else {
                if (call % 500 == 123 && endpoint.rank() % 2 == 1) {
                    std::this_thread::sleep_for(std::chrono::milliseconds(5));
                }
                expect_number(boards, writer, call);
            }
            boards.finish();
        }
    });
}

INSTANTIATE_TEST_SUITE_P(Both, BoardsOf, testing::Values(BoardKind::small, BoardKind::large));

TEST(Boards, HaveNoSlotsWhereMemoryIsScarce) {
    const auto boards_within = [](std::size_t kilobytes, std::int32_t ranks) {
        const Geometry geometry = Geometry::within(kilobytes << 10, ranks);
        EXPECT_GT(geometry.blocks, 0U);
        EXPECT_LE(geometry.segment_bytes(), kilobytes << 10);
        return std::pair(geometry.board(BoardKind::small).slots > 0,
                         geometry.board(BoardKind::large).slots > 0);
    };
    EXPECT_EQ(boards_within(150, 4), std::pair(false, false));
    EXPECT_EQ(boards_within(400, 4), std::pair(true, false));
    EXPECT_EQ(boards_within(8192, 4), std::pair(true, true));
    EXPECT_EQ(boards_within(8192, 2), std::pair(true, false));
}

TEST(Boards, WhoWaitsForOneThatHasEndedIsTold) {
    const auto processes = start_processes(3, {}, [](Endpoint& endpoint) {
        Boards boards(endpoint, BoardKind::small);
        if (endpoint.rank() == 1) raise(SIGKILL);
        EXPECT_THROW(boards.wait(1, 8), memory::PeerGone);
        // Those who wait for room, too.
        EXPECT_THROW(
            {
                for (std::uint64_t call = 0; call < 100; ++call) {
                    post_number(boards, endpoint.rank(), call);
                    boards.finish();
                }
            },
            memory::PeerGone);
    });
    for (const pid_t process : processes) {
        int status = 0;
        waitpid(process, &status, 0);
        EXPECT_EQ(WIFSIGNALED(status), process == processes[1]);
        EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
    }
}

}  // namespace
}  // namespace tasuki::test
