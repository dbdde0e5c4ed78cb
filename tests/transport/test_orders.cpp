// The FIFO, the blocks, the bell and shares, in every order in which memory operations can take
// effect.
#include <gtest/gtest.h>
#include <string>

#include "transport/explorer.hpp"
#include "transport/memory/bell.hpp"
#include "transport/memory/blocks.hpp"
#include "transport/memory/fifo.hpp"
#include "transport/memory/share.hpp"

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

/// Explores two ranks on one State, each of which does `act(state, rank)`. What is wrong they note
/// themselves.
template <typename State, typename Act>
void expect_right(const Act& act) {
    Explorer explorer;
    const std::string wrong = explorer.explore([&] {
        auto state = std::make_shared<State>();
        Explorer::Scene scene;
        scene.threads = {[=] { act(*state, 0); }, [=] { act(*state, 1); }};
        scene.wrong = [] { return std::string(); };
        scene.state = state;
        return scene;
    });
    EXPECT_EQ(wrong, "");
    EXPECT_GT(explorer.runs(), 100U);
}

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
    EXPECT_EQ((explore_ring<ExploredSync<>, 3>(explorer, 3, false)), "");
    EXPECT_GT(explorer.runs(), 100U);
}

TEST(Orders, StampsThatAreNotReleasedWouldBeFound) {
    Explorer explorer;
    EXPECT_NE((explore_ring<ExploredSync<true, false>, 2>(explorer, 3, false)), "");
}

TEST(Orders, NobodySleepsForEver) {
    Explorer explorer;
    EXPECT_EQ((explore_ring<ExploredSync<>, 2>(explorer, 2, true)), "");
    EXPECT_GT(explorer.runs(), 100U);
}

TEST(Orders, AMissingFenceWouldBeFound) {
    Explorer explorer;
    const std::string wrong = explore_ring<ExploredSync<false>, 2>(explorer, 2, true);
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

// Records of one direction carry the news that those of the other were taken, so that each cell is
// used again at once.
TEST(Orders, AnswersGiveCellsBack) {
    using Sync = ExploredSync<>;
    using Cell = memory::CellOn<Sync, Content<Sync>>;
    constexpr std::uint32_t capacity = 5;  // told of two at once
    constexpr std::uint64_t messages = 3;
    struct State {
        std::array<std::array<Cell, capacity>, 2> cells;
        std::array<Sync::Word<std::uint64_t>, 2> taken;

        void run(std::size_t rank) {
            memory::FifoWriter<Sync, Content<Sync>> out(cells[rank].data(), capacity, taken[rank]);
            memory::FifoReader<Sync, Content<Sync>> in(cells[1 - rank].data(), capacity,
                                                       taken[1 - rank]);
            for (std::uint64_t message = 0; message < messages; ++message) {
                if (rank == 0) write(out, in, message);
                if (rank == 0 && message + 1 == messages) return;
                std::uint32_t what = 0;
                const Content<Sync>* answer = nullptr;
                while ((answer = in.peek(what)) == nullptr) Explorer::current().wait_for_change();
                const std::uint64_t value = answer->value.load(Order::relaxed);
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
        static void write(memory::FifoWriter<Sync, Content<Sync>>& out,
                          const memory::FifoReader<Sync, Content<Sync>>& in,
                          std::uint64_t message) {
            out.claim()->value.store(100 * (message + 1) + in.taken(), Order::relaxed);
            out.publish(static_cast<std::uint32_t>(message));
        }
    };
    expect_right<State>([](State& state, std::size_t rank) { state.run(rank); });
}

// Two that answer each other ring only for what the other is not known to have taken, before they
// sleep and before they leave.
TEST(Orders, WhoHasAnsweredNeedsNoBell) {
    using Sync = ExploredSync<>;
    using Cell = memory::CellOn<Sync, Content<Sync>>;
    constexpr std::uint32_t capacity = 3;
    constexpr std::uint64_t messages = 2;
    struct State {
        std::array<std::array<Cell, capacity>, 2> cells;
        std::array<Sync::Word<std::uint64_t>, 2> taken;
        std::array<memory::BellOn<Sync>, 2> bells;

        void run(std::size_t rank) {
            memory::FifoWriter<Sync, Content<Sync>> out(cells[rank].data(), capacity, taken[rank]);
            memory::FifoReader<Sync, Content<Sync>> in(cells[1 - rank].data(), capacity,
                                                       taken[1 - rank]);
            bool has_written = false;
            const auto write = [&] {
                out.claim()->value.store(in.taken(), Order::relaxed);
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
                const Content<Sync>* record = nullptr;
                const auto look = [&] { return (record = in.peek(what)) != nullptr; };
                while (!look()) {
                    ring();
                    bells[rank].sleep(look, 1);
                }
                out.acknowledge(static_cast<std::uint32_t>(record->value.load(Order::relaxed)));
                in.drop();
                if (rank == 1) write();
            }
            ring();
        }
    };
    expect_right<State>([](State& state, std::size_t rank) { state.run(rank); });
}

/// Two ranks that send each other messages in blocks. A script says what a rank does: '>' sends a
/// message, '<' takes the next one and keeps its block or hands it back, '-' takes it and hands the
/// block back, '^' learns that the other lacks blocks.
struct Blocks {
    using Sync = ExploredSync<>;
    static constexpr std::uint32_t share = 2;

    std::array<memory::HandedBack<Sync>, 2> handed_back;
    std::array<Sync::Word<std::uint64_t>, 2 * share> content;
    std::array<std::array<Sync::Word<std::uint32_t>, 6>, 2> sent;  // [rank][message] block + 1

    void play(std::size_t rank, const std::string& script) {
        memory::BlocksOf<Sync> blocks(handed_back[rank], handed_back[1 - rank],
                                      static_cast<std::uint32_t>(rank) * share, share);
        std::uint32_t sends = 0;
        std::uint32_t receives = 0;
        for (const char what : script) {
            if (what == '^') {
                blocks.note_lack(true);
            } else if (what == '>') {
                while (!blocks.has(1)) Explorer::current().wait_for_change();
                const std::uint32_t block = blocks.take();
                content[block].store(100 * rank + sends, Order::relaxed);
                sent[rank][sends++].store(block + 1, Order::release);
            } else {
                auto& message = sent[1 - rank][receives];
                std::uint32_t place = 0;
                while ((place = message.load(Order::acquire)) == 0) {
                    Explorer::current().wait_for_change();
                }
                const std::uint64_t found = content[place - 1].load(Order::relaxed);
                if (found != 100 * (1 - rank) + receives++) {
                    Explorer::current().note_wrong("a block was filled too early");
                }
                what == '<' ? static_cast<void>(blocks.keep(place - 1))
                            : blocks.hand_back(place - 1);
            }
        }
    }
};

TEST(Orders, BlocksAreNotFilledBeforeTheyWereRead) {
    using Scripts = std::array<std::string, 2>;
    for (const Scripts& scripts :
         {Scripts{">>>", "<<<"}, Scripts{"><>", "<><"}, Scripts{">>>", "---"},
          Scripts{">><>", "<<><"}, Scripts{">>>", "<^<<"}, Scripts{"><<", "<>>"},
          Scripts{">>><", "<<<>"}}) {
        SCOPED_TRACE(scripts[0] + " " + scripts[1]);
        expect_right<Blocks>(
            [&](Blocks& blocks, std::size_t rank) { blocks.play(rank, scripts[rank]); });
    }
}

// Of a message that both ends copy every block is claimed once, whoever comes when, and the one who
// began knows at the end whether the other has some.
TEST(Orders, EveryBlockIsClaimedOnce) {
    using Sync = ExploredSync<>;
    struct State {
        Sync::Word<std::uint64_t> claimed;
        Sync::Word<std::uint32_t> is_told;
        std::array<std::string, 2> blocks;
        bool has_last = false;
    };
    for (const std::uint64_t blocks : {1, 2, 3}) {
        Explorer explorer;
        const std::string wrong = explorer.explore([=] {
            auto state = std::make_shared<State>();
            Explorer::Scene scene;
            scene.threads = {[=] {
                                 memory::ShareOn<Sync> share(state->claimed, blocks);
                                 share.begin();
                                 state->is_told.store(1, Order::release);
                                 while (const auto block = share.claim_first()) {
                                     state->blocks[0] += std::to_string(*block);
                                 }
                                 state->has_last = share.has_last();
                             },
                             [=] {
                                 memory::ShareOn<Sync> share(state->claimed, blocks);
                                 while (state->is_told.load(Order::acquire) == 0) {
                                     Explorer::current().wait_for_change();
                                 }
                                 while (const auto block = share.claim_last()) {
                                     state->blocks[1] += std::to_string(*block);
                                 }
                             }};
            scene.wrong = [=]() -> std::string {
                const std::string& last = state->blocks[1];
                const std::string all = state->blocks[0] + std::string(last.rbegin(), last.rend());
                if (all != std::string("012").substr(0, blocks)) return "claimed: " + all;
                if (state->has_last == last.empty()) return "the first does not know of the last";
                return {};
            };
            scene.state = state;
            return scene;
        });
        EXPECT_EQ(wrong, "");
    }
}

}  // namespace
}  // namespace tasuki::test
