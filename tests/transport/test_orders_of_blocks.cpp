// Blocks that change hands, and shares, in every order in which memory operations can take effect.
#include <array>
#include <cstdint>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "transport/explored_ranks.hpp"
#include "transport/explored_sync.hpp"
#include "transport/memory/blocks.hpp"
#include "transport/memory/share.hpp"

namespace tasuki::test {
namespace {

using memory::Order;

/// Two ranks that send each other messages in blocks. A script says what a rank does: '>' sends a
/// message, '<' takes the next one and keeps its block or hands it back, '-' takes it and hands the
/// block back, '^' learns that the other lacks blocks.
struct Blocks {
    using Sync = ExploredSync<>;
    static constexpr std::uint32_t share = 2;

    std::array<memory::HandedBack<Sync>, 2> handed_back;
    std::array<ExploredData, 2 * share> content;
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
                Explorer::current().await([&] { return blocks.has(1); });
                const std::uint32_t block = blocks.take();
                content[block].write(100 * rank + sends);
                sent[rank][sends++].store(block + 1, Order::release);
            } else {
                auto& message = sent[1 - rank][receives];
                std::uint32_t place = 0;
                Explorer::current().await(
                    [&] { return (place = message.load(Order::acquire)) != 0; });
                const std::uint64_t found = content[place - 1].read();
                if (found != 100 * (1 - rank) + receives++) {
                    Explorer::current().note_wrong("a block was filled too early");
                }
                what == '<' ? static_cast<void>(blocks.keep(place - 1))
                            : blocks.hand_back(place - 1);
            }
        }
    }
};

using Scripts = std::array<std::string, 2>;

std::string explore_blocks(const Scripts& scripts, const Weaken<Blocks>& weaken = {}) {
    return explore_ranks<Blocks>(
        2, [&](Blocks& blocks, std::size_t rank) { blocks.play(rank, scripts[rank]); }, weaken);
}

TEST(OrdersOfBlocks, TheyAreNotFilledBeforeTheyWereRead) {
    for (const Scripts& scripts :
         {Scripts{">>>", "<<<"}, Scripts{"><>", "<><"}, Scripts{">>>", "---"},
          Scripts{">><>", "<<><"}, Scripts{">>>", "<^<<"}, Scripts{"><<", "<>>"},
          Scripts{">>><", "<<<>"}}) {
        SCOPED_TRACE(scripts[0] + " " + scripts[1]);
        EXPECT_EQ(explore_blocks(scripts), "");
    }
}

TEST(OrdersOfBlocks, ThatAreHandedBackWithoutReleaseOrAcquireWouldBeFound) {
    for (const Order order : {Order::release, Order::acquire}) {
        const std::string wrong = explore_blocks({">>>", "---"}, [=](const Blocks& blocks) {
            return std::vector<Explorer::Weakened>{{&blocks.handed_back[1], order}};
        });
        EXPECT_TRUE(wrong.starts_with("a race on data")) << wrong;
    }
}

// Of a message that both ends copy every block is claimed once, whoever comes when, and the one who
// began knows at the end whether the other has some.
TEST(OrdersOfBlocks, OfAShareEachIsClaimedOnce) {
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
                                 Explorer::current().await(
                                     [&] { return state->is_told.load(Order::acquire) != 0; });
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
