// Boards, in every order in which memory operations can take effect.
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "transport/explored_ranks.hpp"
#include "transport/explored_sync.hpp"
#include "transport/memory/bell.hpp"
#include "transport/memory/board.hpp"

namespace tasuki::test {
namespace {

using memory::Order;

enum class Waiting : std::uint8_t { looks, sleeps };

/// Rank 0 posts in each call, the others read. Where they have to wait they look again or sleep, as
/// Boards do first and later.
template <typename Sync, std::uint64_t slots, Waiting waiting>
struct Posting {
    struct Slot {
        memory::BoardSlotOn<Sync> head;
        ExploredData value;
    };

    std::array<Slot, slots> board;
    std::array<memory::FinishedCallsOn<Sync>, 3> finished;  // [reader]
    std::array<memory::BellOn<Sync>, 3> bells;              // [rank]

    template <typename Look>
    void wait(std::size_t rank, const Look& look) {
        if (waiting == Waiting::looks) return Explorer::current().await(look);
        while (!look()) bells[rank].sleep(look, 1);
    }
    void ring_all() {
        if (waiting == Waiting::looks) return;
        Sync::full_fence();
        for (auto& bell : bells) bell.ring();
    }

    void write(std::uint64_t calls, std::size_t readers) {
        for (std::uint64_t call = 0; call < calls; ++call) {
            const auto is_free = [&] {
                for (std::size_t reader = 0; reader < readers; ++reader) {
                    if (!memory::slot_is_free(call, finished[reader].count(), slots)) return false;
                }
                return true;
            };
            wait(0, is_free);
            Slot& slot = board[call % slots];
            slot.value.write(100 + call);
            slot.head.post(call);
            ring_all();
        }
    }

    void read(std::uint64_t calls, std::size_t reader) {
        for (std::uint64_t call = 0; call < calls; ++call) {
            Slot& slot = board[call % slots];
            const auto is_there = [&] { return slot.head.has(call); };
            wait(1 + reader, is_there);
            if (slot.value.read() != 100 + call) {
                Explorer::current().note_wrong("a post is not what was written");
            }
            finished[reader].finish(call);
            ring_all();
        }
    }
};

template <typename Explored>
std::string explore_posting(std::uint64_t calls, std::size_t readers,
                            const Weaken<Explored>& weaken = {}) {
    return explore_ranks<Explored>(
        1 + readers,
        [=](Explored& posting, std::size_t rank) {
            rank == 0 ? posting.write(calls, readers) : posting.read(calls, rank - 1);
        },
        weaken);
}

template <std::uint64_t slots, Waiting waiting>
using Right = Posting<ExploredSync<>, slots, waiting>;

TEST(OrdersOfPosts, APostIsReadByAll) {
    EXPECT_EQ((explore_posting<Right<1, Waiting::looks>>(4, 1)), "");
    EXPECT_EQ((explore_posting<Right<2, Waiting::looks>>(4, 2)), "");
    EXPECT_EQ((explore_posting<Right<2, Waiting::looks>>(3, 3)), "");
}

TEST(OrdersOfPosts, NobodySleepsForEver) {
    EXPECT_EQ((explore_posting<Right<1, Waiting::sleeps>>(2, 1)), "");
    EXPECT_EQ((explore_posting<Right<2, Waiting::sleeps>>(3, 1)), "");
    EXPECT_EQ((explore_posting<Right<1, Waiting::sleeps>>(1, 2)), "");
}

TEST(OrdersOfPosts, PostsWithoutReleaseOrAcquireWouldBeFound) {
    using Explored = Right<1, Waiting::looks>;
    for (const Order order : {Order::release, Order::acquire}) {
        const std::string wrong = explore_posting<Explored>(2, 1, [=](const Explored& posting) {
            return std::vector<Explorer::Weakened>{{&posting.board[0].head, order}};
        });
        EXPECT_TRUE(wrong.starts_with("a race on data")) << wrong;
    }
}

TEST(OrdersOfPosts, CallsThatAreFinishedWithoutReleaseOrAcquireWouldBeFound) {
    using Explored = Right<1, Waiting::looks>;
    for (const Order order : {Order::release, Order::acquire}) {
        const std::string wrong = explore_posting<Explored>(2, 1, [=](const Explored& posting) {
            return std::vector<Explorer::Weakened>{{&posting.finished[0], order}};
        });
        EXPECT_TRUE(wrong.starts_with("a race on data")) << wrong;
    }
}

TEST(OrdersOfPosts, AMissingFenceBehindAPostWouldBeFound) {
    const std::string wrong =
        explore_posting<Posting<ExploredSync<false>, 1, Waiting::sleeps>>(2, 1);
    EXPECT_EQ(wrong.substr(0, 18), "a wake-up was lost");
}

}  // namespace
}  // namespace tasuki::test
