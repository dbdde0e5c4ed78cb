// The last look of a rank before it sleeps, in every order in which memory operations can take
// effect.
#include <cstdint>
#include <gtest/gtest.h>
#include <string>

#include "transport/explored_ranks.hpp"
#include "transport/explored_sync.hpp"
#include "transport/memory/bell.hpp"

namespace tasuki::test {
namespace {

using memory::Order;

/// A rank that answers a question and has no room before its peer makes some, which rings for that
/// only where it was told that somebody waits. `looks_again`: the rank asks in its last look
/// whether it has come to wait only now, and then does not sleep.
std::string explore_last_look(bool looks_again) {
    struct State {
        ExploredSync<>::Word<std::uint32_t> question, room, starved;
        memory::BellOn<ExploredSync<>> bell;

        void ask() {
            const auto ring = [&] {
                ExploredSync<>::full_fence();
                bell.ring();
            };
            question.store(1, Order::release);
            ring();
            room.store(1, Order::release);
            ExploredSync<>::full_fence();
            if (starved.load(Order::relaxed) != 0) bell.ring();
        }
        void answer(bool looks_again) {
            bool waits = false, is_told = false, is_done = false;
            const auto progress = [&] {
                waits = waits || question.load(Order::acquire) != 0;
                is_done = waits && room.load(Order::acquire) != 0;
            };
            while (!is_done) {
                is_told = waits;
                if (is_told) starved.store(1, Order::relaxed);
                const auto look = [&] {
                    progress();
                    return is_done || (looks_again && waits && !is_told);
                };
                bell.sleep(look, 1);
                starved.store(0, Order::relaxed);
                if (!is_done) progress();
            }
        }
    };
    return explore_ranks<State>(2, [=](State& state, std::size_t rank) {
        rank == 0 ? state.ask() : state.answer(looks_again);
    });
}

TEST(OrdersOfLastLooks, WhoComesToWaitForRoomInTheLastLookLooksAgain) {
    EXPECT_EQ(explore_last_look(true), "");
    EXPECT_EQ(explore_last_look(false).substr(0, 18), "a wake-up was lost");
}

}  // namespace
}  // namespace tasuki::test
