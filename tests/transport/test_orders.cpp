// The FIFO and the bell, in every order in which memory operations can take effect.
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "transport/explored_ranks.hpp"
#include "transport/explored_sync.hpp"
#include "transport/memory/bell.hpp"
#include "transport/memory/fifo.hpp"

namespace tasuki::test {
namespace {

using memory::Order;

struct Content {
    ExploredData value;
};

/// A ring with what is needed to sleep at both ends.
template <typename Sync, std::uint32_t capacity>
struct Ring {
    using Cell = memory::CellOn<Sync, Content>;

    std::array<Cell, capacity> cells;
    typename Sync::template Word<std::uint64_t> taken;
    typename Sync::template Word<std::uint32_t> starved;
    memory::BellOn<Sync> writers_bell;
    memory::BellOn<Sync> readers_bell;
    std::uint64_t read = 0;

    void write(std::uint64_t messages) {
        memory::FifoWriter<Sync, Content> fifo(cells.data(), capacity, taken);
        for (std::uint64_t message = 0; message < messages; ++message) {
            Content* record = nullptr;
            Explorer::current().await([&] { return (record = fifo.claim()) != nullptr; });
            record->value.write(100 + message);
            fifo.publish(static_cast<std::uint32_t>(message));
        }
    }

    void take(const Content& record, std::uint32_t what) {
        const std::uint64_t value = record.value.read();
        if (value != 100 + what) Explorer::current().note_wrong("a record is not what was written");
        if (what != read++) Explorer::current().note_wrong("records came in another order");
    }

    void read_all(std::uint64_t messages) {
        memory::FifoReader<Sync, Content> fifo(cells.data(), capacity, taken);
        while (read < messages) {
            std::uint32_t what = 0;
            const Content* record = nullptr;
            Explorer::current().await([&] { return (record = fifo.peek(what)) != nullptr; });
            take(*record, what);
            fifo.drop();
        }
    }

    /// As Endpoint does: what was written is rung for after a fence; a writer without room says so
    /// before it sleeps.
    void write_and_sleep(std::uint64_t messages) {
        memory::FifoWriter<Sync, Content> fifo(cells.data(), capacity, taken);
        for (std::uint64_t message = 0; message < messages; ++message) {
            Content* record = fifo.claim();
            while (record == nullptr) {
                starved.store(1, Order::relaxed);
                writers_bell.sleep([&] { return (record = fifo.claim()) != nullptr; }, 1);
                starved.store(0, Order::relaxed);
                if (record == nullptr) record = fifo.claim();
            }
            record->value.write(100 + message);
            fifo.publish(static_cast<std::uint32_t>(message));
            Sync::full_fence();
            readers_bell.ring();
        }
    }

    void read_and_sleep(std::uint64_t messages) {
        memory::FifoReader<Sync, Content> fifo(cells.data(), capacity, taken);
        const auto take_all = [&] {
            std::uint32_t what = 0;
            bool has_told = false;
            while (const Content* const record = fifo.peek(what)) {
                take(*record, what);
                has_told = fifo.drop() || has_told;
            }
            if (has_told) {
                Sync::full_fence();
                if (starved.load(Order::relaxed) != 0) writers_bell.ring();
            }
            return read == messages;
        };
        while (!take_all()) readers_bell.sleep(take_all, 1);
    }
};

template <typename Sync, std::uint32_t capacity>
std::string explore_ring(std::uint64_t messages, const Weaken<Ring<Sync, capacity>>& weaken = {}) {
    using Explored = Ring<Sync, capacity>;
    return explore_ranks<Explored>(
        2,
        [=](Explored& ring, std::size_t rank) {
            rank == 0 ? ring.write(messages) : ring.read_all(messages);
        },
        weaken);
}

template <typename Sync>
std::string explore_sleeping(std::uint64_t messages) {
    using Explored = Ring<Sync, 2>;
    return explore_ranks<Explored>(2, [=](Explored& ring, std::size_t rank) {
        rank == 0 ? ring.write_and_sleep(messages) : ring.read_and_sleep(messages);
    });
}

TEST(Orders, TheFifoKeepsContentAndOrder) {
    EXPECT_EQ((explore_ring<ExploredSync<>, 2>(6)), "");
    EXPECT_EQ((explore_ring<ExploredSync<>, 3>(7)), "");
    EXPECT_EQ((explore_ring<ExploredSync<>, 4>(9)), "");
}

TEST(Orders, StampsWithoutReleaseOrAcquireWouldBeFound) {
    using Explored = Ring<ExploredSync<>, 2>;
    for (const Order order : {Order::release, Order::acquire}) {
        const std::string wrong = explore_ring<ExploredSync<>, 2>(3, [=](const Explored& ring) {
            return std::vector<Explorer::Weakened>{{&ring.cells[0].stamp, order},
                                                   {&ring.cells[1].stamp, order}};
        });
        EXPECT_TRUE(wrong.starts_with("a race on data")) << wrong;
    }
}

TEST(Orders, NewsOfRecordsTakenWithoutReleaseOrAcquireWouldBeFound) {
    using Explored = Ring<ExploredSync<>, 2>;
    for (const Order order : {Order::release, Order::acquire}) {
        const std::string wrong = explore_ring<ExploredSync<>, 2>(3, [=](const Explored& ring) {
            return std::vector<Explorer::Weakened>{{&ring.taken, order}};
        });
        EXPECT_TRUE(wrong.starts_with("a race on data")) << wrong;
    }
}

TEST(Orders, NobodySleepsForEver) {
    EXPECT_EQ(explore_sleeping<ExploredSync<>>(2), "");
}

TEST(Orders, AMissingFenceWouldBeFound) {
    const std::string wrong = explore_sleeping<ExploredSync<false>>(2);
    EXPECT_EQ(wrong.substr(0, 18), "a wake-up was lost");
}

// Two ranks that ring for one sleeper, which wants to hear of both.
TEST(Orders, ASleeperHearsOfEverybody) {
    struct State {
        std::array<ExploredSync<>::Word<std::uint32_t>, 2> items;
        memory::BellOn<ExploredSync<>> bell;

        void run(std::size_t rank) {
            if (rank < 2) {
                items[rank].store(1, Order::release);
                ExploredSync<>::full_fence();
                bell.ring();
                return;
            }
            const auto look = [&] {
                return items[0].load(Order::acquire) + items[1].load(Order::acquire) == 2;
            };
            while (!look()) bell.sleep(look, 1);
        }
    };
    EXPECT_EQ(explore_ranks<State>(3, [](State& state, std::size_t rank) { state.run(rank); }), "");
}

// Records of one direction carry the news that those of the other were taken, so that each cell is
// used again at once.
TEST(Orders, AnswersGiveCellsBack) {
    using Sync = ExploredSync<>;
    using Cell = memory::CellOn<Sync, Content>;
    constexpr std::uint32_t capacity = 5;  // told of two at once
    constexpr std::uint64_t messages = 3;
    struct State {
        std::array<std::array<Cell, capacity>, 2> cells;
        std::array<Sync::Word<std::uint64_t>, 2> taken;

        void run(std::size_t rank) {
            memory::FifoWriter<Sync, Content> out(cells[rank].data(), capacity, taken[rank]);
            memory::FifoReader<Sync, Content> in(cells[1 - rank].data(), capacity, taken[1 - rank]);
            for (std::uint64_t message = 0; message < messages; ++message) {
                if (rank == 0) write(out, in, message);
                if (rank == 0 && message + 1 == messages) return;
                std::uint32_t what = 0;
                const Content* answer = nullptr;
                Explorer::current().await([&] { return (answer = in.peek(what)) != nullptr; });
                const std::uint64_t value = answer->value.read();
                if (what != message || value / 100 != message + 1) {
                    Explorer::current().note_wrong("a record is not what was written");
                }
                if (answer > &cells[1 - rank][1].record) {
                    Explorer::current().note_wrong("a cell was used that is not needed");
                }
                out.acknowledge(static_cast<std::uint32_t>(value % 100));
                in.drop();
                if (rank == 1 && message + 1 < messages) write(out, in, message);
            }
        }
        static void write(memory::FifoWriter<Sync, Content>& out,
                          const memory::FifoReader<Sync, Content>& in, std::uint64_t message) {
            out.claim()->value.write(100 * (message + 1) + in.taken());
            out.publish(static_cast<std::uint32_t>(message));
        }
    };
    EXPECT_EQ(explore_ranks<State>(2, [](State& state, std::size_t rank) { state.run(rank); }), "");
}

// Two that answer each other ring only for what the other is not known to have taken, before they
// sleep and before they leave.
TEST(Orders, WhoHasAnsweredNeedsNoBell) {
    using Sync = ExploredSync<>;
    using Cell = memory::CellOn<Sync, Content>;
    constexpr std::uint32_t capacity = 3;
    constexpr std::uint64_t messages = 2;
    struct State {
        std::array<std::array<Cell, capacity>, 2> cells;
        std::array<Sync::Word<std::uint64_t>, 2> taken;
        std::array<memory::BellOn<Sync>, 2> bells;

        void run(std::size_t rank) {
            memory::FifoWriter<Sync, Content> out(cells[rank].data(), capacity, taken[rank]);
            memory::FifoReader<Sync, Content> in(cells[1 - rank].data(), capacity, taken[1 - rank]);
            bool has_written = false;
            const auto write = [&] {
                out.claim()->value.write(in.taken());
                out.publish(0);
                has_written = true;
            };
            const auto ring = [&] {
                if (!has_written || !out.has_untaken()) return;
                Sync::full_fence();
                bells[1 - rank].ring();
                has_written = false;
            };
            for (std::uint64_t message = 0; message < messages; ++message) {
                if (rank == 0) write();
                std::uint32_t what = 0;
                const Content* record = nullptr;
                const auto look = [&] { return (record = in.peek(what)) != nullptr; };
                while (!look()) {
                    ring();
                    bells[rank].sleep(look, 1);
                }
                out.acknowledge(static_cast<std::uint32_t>(record->value.read()));
                in.drop();
                if (rank == 1) write();
            }
            ring();
        }
    };
    EXPECT_EQ(explore_ranks<State>(2, [](State& state, std::size_t rank) { state.run(rank); }), "");
}

}  // namespace
}  // namespace tasuki::test
