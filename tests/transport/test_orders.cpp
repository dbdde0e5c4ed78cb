// The FIFO, the blocks and the bell, in every order in which memory operations can take effect.
#include <gtest/gtest.h>

#include "transport/explorer.hpp"
#include "transport/memory/bell.hpp"
#include "transport/memory/blocks.hpp"
#include "transport/memory/fifo.hpp"

namespace tasuki::test {
namespace {

using memory::Order;

template <typename Sync>
struct Content {
    typename Sync::template Word<std::uint64_t> value;
};

/// A ring with what is needed to sleep at both ends.
template <typename Sync, std::uint32_t capacity>
struct Ring {
    using Cell = memory::CellOn<Sync, Content<Sync>>;

    std::array<Cell, capacity> cells;
    typename Sync::template Word<std::uint64_t> taken;
    typename Sync::template Word<std::uint32_t> starved;
    memory::BellOn<Sync> writers_bell;
    memory::BellOn<Sync> readers_bell;
    std::vector<std::uint64_t> read;

    void write(std::uint64_t messages) {
        memory::FifoWriter<Sync, Content<Sync>> fifo(cells.data(), capacity, taken);
        for (std::uint64_t message = 0; message < messages; ++message) {
            Content<Sync>* record = nullptr;
            while ((record = fifo.claim()) == nullptr) Explorer::current().wait_for_change();
            record->value.store(100 + message, Order::relaxed);
            fifo.publish(static_cast<std::uint32_t>(message));
        }
    }

    void take(const Content<Sync>& record, std::uint32_t what) {
        const std::uint64_t value = record.value.load(Order::relaxed);
        if (value != 100 + what) Explorer::current().note_wrong("a record is not what was written");
        read.push_back(value);
    }

    void read_all(std::uint64_t messages) {
        memory::FifoReader<Sync, Content<Sync>> fifo(cells.data(), capacity, taken);
        while (read.size() < messages) {
            std::uint32_t what = 0;
            const Content<Sync>* const record = fifo.peek(what);
            if (record == nullptr) {
                Explorer::current().wait_for_change();
                continue;
            }
            take(*record, what);
            fifo.drop();
        }
    }

    /// As Endpoint does: what was written is rung for after a fence; a writer without room says so
    /// before it sleeps.
    void write_and_sleep(std::uint64_t messages) {
        memory::FifoWriter<Sync, Content<Sync>> fifo(cells.data(), capacity, taken);
        for (std::uint64_t message = 0; message < messages; ++message) {
            Content<Sync>* record = fifo.claim();
            while (record == nullptr) {
                starved.store(1, Order::relaxed);
                writers_bell.sleep([&] { return (record = fifo.claim()) != nullptr; }, 1);
                starved.store(0, Order::relaxed);
                if (record == nullptr) record = fifo.claim();
            }
            record->value.store(100 + message, Order::relaxed);
            fifo.publish(static_cast<std::uint32_t>(message));
            Sync::full_fence();
            readers_bell.ring();
        }
    }

    void read_and_sleep(std::uint64_t messages) {
        memory::FifoReader<Sync, Content<Sync>> fifo(cells.data(), capacity, taken);
        const auto take_all = [&] {
            std::uint32_t what = 0;
            bool has_told = false;
            while (const Content<Sync>* const record = fifo.peek(what)) {
                take(*record, what);
                has_told = fifo.drop() || has_told;
            }
            if (has_told) {
                Sync::full_fence();
                if (starved.load(Order::relaxed) != 0) writers_bell.ring();
            }
            return read.size() == messages;
        };
        while (!take_all()) readers_bell.sleep(take_all, 1);
    }
};

template <typename Sync, std::uint32_t capacity>
std::string explore_ring(Explorer& explorer, std::uint64_t messages, bool sleeps) {
    return explorer.explore([&] {
        auto ring = std::make_shared<Ring<Sync, capacity>>();
        Explorer::Scene scene;
        scene.threads = {
            [=] { sleeps ? ring->write_and_sleep(messages) : ring->write(messages); },
            [=] { sleeps ? ring->read_and_sleep(messages) : ring->read_all(messages); }};
        scene.wrong = [=]() -> std::string {
            for (std::uint64_t i = 0; i < messages; ++i) {
                if (ring->read.at(i) != 100 + i) return "records came in another order";
            }
            return {};
        };
        scene.state = ring;
        return scene;
    });
}

TEST(Orders, TheFifoKeepsContentAndOrder) {
    Explorer explorer;
    EXPECT_EQ((explore_ring<ExploredSync<>, 2>(explorer, 3, false)), "");
    EXPECT_EQ((explore_ring<ExploredSync<>, 1>(explorer, 3, false)), "");
    EXPECT_GT(explorer.runs(), 100U);
}

TEST(Orders, StampsThatAreNotReleasedWouldBeFound) {
    Explorer explorer;
    EXPECT_NE((explore_ring<ExploredSync<true, false>, 2>(explorer, 3, false)), "");
}

TEST(Orders, NobodySleepsForEver) {
    Explorer explorer;
    EXPECT_EQ((explore_ring<ExploredSync<>, 1>(explorer, 2, true)), "");
    EXPECT_GT(explorer.runs(), 100U);
}

TEST(Orders, AMissingFenceWouldBeFound) {
    Explorer explorer;
    const std::string wrong = explore_ring<ExploredSync<false>, 1>(explorer, 2, true);
    EXPECT_EQ(wrong.substr(0, 18), "a wake-up was lost");
}

// Two ranks that ring for one sleeper, which wants to hear of both.
TEST(Orders, ASleeperHearsOfEverybody) {
    struct State {
        std::array<ExploredSync<>::Word<std::uint32_t>, 2> items;
        memory::BellOn<ExploredSync<>> bell;
    };
    Explorer explorer;
    const std::string wrong = explorer.explore([] {
        auto state = std::make_shared<State>();
        const auto write = [=](std::size_t index) {
            state->items[index].store(1, Order::release);
            ExploredSync<>::full_fence();
            state->bell.ring();
        };
        Explorer::Scene scene;
        scene.threads = {[=] { write(0); }, [=] { write(1); },
                         [=] {
                             const auto look = [&] {
                                 return state->items[0].load(Order::acquire) +
                                            state->items[1].load(Order::acquire) ==
                                        2;
                             };
                             while (!look()) state->bell.sleep(look, 1);
                         }};
        scene.wrong = [] { return std::string(); };
        scene.state = state;
        return scene;
    });
    EXPECT_EQ(wrong, "");
    EXPECT_GT(explorer.runs(), 100U);
}

TEST(Orders, BlocksAreNotFilledBeforeTheyWereRead) {
    using Sync = ExploredSync<>;
    struct State {
        memory::ReturnedBlocks<Sync> returned;
        std::array<Sync::Word<std::uint64_t>, 2> blocks;
        std::array<Sync::Word<std::uint32_t>, 3> sent;  // message -> block + 1
    };
    Explorer explorer;
    const std::string wrong = explorer.explore([] {
        auto state = std::make_shared<State>();
        Explorer::Scene scene;
        scene.threads = {[=] {
                             memory::BlockLender<Sync> lender(state->returned, 2);
                             for (std::uint32_t message = 0; message < 3; ++message) {
                                 while (!lender.has(1)) Explorer::current().wait_for_change();
                                 const std::uint32_t block = lender.take();
                                 state->blocks[block].store(message, Order::relaxed);
                                 state->sent[message].store(block + 1, Order::release);
                             }
                         },
                         [=] {
                             for (std::uint32_t message = 0; message < 3; ++message) {
                                 std::uint32_t place = 0;
                                 while ((place = state->sent[message].load(Order::acquire)) == 0) {
                                     Explorer::current().wait_for_change();
                                 }
                                 if (state->blocks[place - 1].load(Order::relaxed) != message) {
                                     Explorer::current().note_wrong("a block was filled too early");
                                 }
                                 memory::give_back<Sync>(state->returned, place - 1);
                             }
                         }};
        scene.wrong = [] { return std::string(); };
        scene.state = state;
        return scene;
    });
    EXPECT_EQ(wrong, "");
    EXPECT_GT(explorer.runs(), 100U);
}

}  // namespace
}  // namespace tasuki::test
