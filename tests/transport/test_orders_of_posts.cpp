// Boards, in every order in which memory operations can take effect.
#include <array>
#include <gtest/gtest.h>
#include <memory>
#include <string>

#include "transport/explorer.hpp"
#include "transport/memory/bell.hpp"
#include "transport/memory/board.hpp"

namespace tasuki::test {
namespace {

using memory::Order;

/// Rank 0 posts in each call, the others read; all sleep where they have to wait, as Boards do.
template <typename Sync, std::uint64_t slots>
struct Posting {
    struct Slot {
        memory::BoardSlotOn<Sync> head;
        typename Sync::template Word<std::uint64_t> value;
    };

    std::array<Slot, slots> board;
    std::array<memory::FinishedCallsOn<Sync>, 2> finished;  // [reader]
    std::array<memory::BellOn<Sync>, 3> bells;              // [rank]

    void ring_all() {
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
            while (!is_free()) bells[0].sleep(is_free, 1);
            Slot& slot = board[call % slots];
            slot.value.store(100 + call, Order::relaxed);
            slot.head.post(call);
            ring_all();
        }
    }

    void read(std::uint64_t calls, std::size_t reader) {
        for (std::uint64_t call = 0; call < calls; ++call) {
            Slot& slot = board[call % slots];
            const auto is_there = [&] { return slot.head.has(call); };
            while (!is_there()) bells[1 + reader].sleep(is_there, 1);
            if (slot.value.load(Order::relaxed) != 100 + call) {
                Explorer::current().note_wrong("a post is not what was written");
            }
            finished[reader].finish(call);
            ring_all();
        }
    }
};

template <typename Sync, std::uint64_t slots>
std::string explore_posting(Explorer& explorer, std::uint64_t calls, std::size_t readers) {
    return explorer.explore([&] {
        auto state = std::make_shared<Posting<Sync, slots>>();
        Explorer::Scene scene;
        scene.threads = {[=] { state->write(calls, readers); }};
        for (std::size_t reader = 0; reader < readers; ++reader) {
            scene.threads.push_back([=] { state->read(calls, reader); });
        }
        scene.wrong = [] { return std::string(); };
        scene.state = state;
        return scene;
    });
}

TEST(Orders, APostIsReadByAllAndNobodySleepsForEver) {
    Explorer explorer;
    EXPECT_EQ((explore_posting<ExploredSync<>, 1>(explorer, 2, 1)), "");
    EXPECT_EQ((explore_posting<ExploredSync<>, 2>(explorer, 3, 1)), "");
    EXPECT_EQ((explore_posting<ExploredSync<>, 1>(explorer, 1, 2)), "");
    EXPECT_GT(explorer.runs(), 100U);
}

TEST(Orders, PostsThatAreNotReleasedWouldBeFound) {
    Explorer explorer;
    const std::string wrong = explore_posting<ExploredSync<true, false>, 1>(explorer, 2, 1);
    EXPECT_EQ(wrong.substr(0, 30), "a post is not what was written");
}

TEST(Orders, AMissingFenceBehindAPostWouldBeFound) {
    Explorer explorer;
    const std::string wrong = explore_posting<ExploredSync<false>, 1>(explorer, 2, 1);
    EXPECT_EQ(wrong.substr(0, 18), "a wake-up was lost");
}

}  // namespace
}  // namespace tasuki::test
