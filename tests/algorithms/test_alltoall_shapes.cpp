// What makes each algorithm the one that its row says: how many messages, how many of them one
// after another, how much they carry. That the blocks arrive is proven in test_every_row.
#include <algorithm>
#include <bit>
#include <gtest/gtest.h>
#include <map>

#include "algorithms/algorithm.hpp"

namespace tasuki {

namespace {

/// What one rank does.
struct Shape {
    std::int64_t sends = 0;
    std::int64_t sent_chunks = 0;
    std::int64_t empty_sends = 0;
    std::int64_t copied_chunks = 0;
    std::int64_t depth = 0;  ///< messages of the longest chain of dependent steps
};

Shape shape_of(const Program& program) {
    Shape shape;
    std::vector<std::int64_t> depths;
    for (const Step& step : program.steps) {
        std::int64_t depth = 0;
        for (StepId earlier : program.after(step)) depth = std::max(depth, depths[earlier]);
        depths.push_back(depth + (step.is_message() ? 1 : 0));
        shape.depth = std::max(shape.depth, depths.back());
        if (step.kind == StepKind::copy) shape.copied_chunks += step.from.count;
        if (step.kind != StepKind::send) continue;
        ++shape.sends;
        shape.sent_chunks += step.from.count;
        shape.empty_sends += step.from.empty() ? 1 : 0;
    }
    return shape;
}

Shape shape_of(std::string_view choice, std::int32_t rank, std::int32_t ranks,
               const Placement& placement) {
    const auto [row, parameters, carrier] = parse_choice("alltoall", choice);
    return shape_of(
        row->generate(rank, {.ranks = ranks, .parameters = parameters, .placement = placement}));
}

Shape shape_of(std::string_view choice, std::int32_t rank, std::int32_t ranks) {
    return shape_of(choice, rank, ranks, Placement::one_node(ranks));
}

std::int64_t digits(std::int64_t ranks, std::int64_t radix) {
    std::int64_t count = 0;
    for (std::int64_t weight = 1; weight < ranks; weight *= radix) ++count;
    return count;
}

constexpr std::int32_t numbers_of_ranks[] = {2, 3, 8, 13, 16, 30};

}  // namespace

TEST(Spread, HasAllExchangesInFlightOrAsManyAsTheWindow) {
    for (std::int32_t ranks : numbers_of_ranks) {
        const Shape all = shape_of("spread", 1, ranks);
        EXPECT_EQ(all.sends, ranks - 1);
        EXPECT_EQ(all.depth, 1);
        for (std::int32_t window : {1, 2, 5}) {
            const Shape some = shape_of("spread:window=" + std::to_string(window), 1, ranks);
            EXPECT_EQ(some.sends, ranks - 1);
            EXPECT_EQ(some.depth, (ranks - 1 + window - 1) / window);
        }
    }
}

TEST(Bruck, SendsOneMessagePerDigitValueOneAfterAnotherPerDigit) {
    for (std::int32_t ranks : numbers_of_ranks) {
        EXPECT_EQ(shape_of("bruck", 1, ranks).sends, digits(ranks, 2));
        EXPECT_EQ(shape_of("bruck", 1, ranks).depth, digits(ranks, 2));
        EXPECT_EQ(shape_of("bruck:radix=3", 1, ranks).depth, digits(ranks, 3));
    }
    EXPECT_EQ(shape_of("bruck", 5, 64).sent_chunks, 6 * 32);
    EXPECT_EQ(shape_of("bruck:radix=4", 5, 64).sends, 3 * 3);
    EXPECT_EQ(shape_of("bruck:radix=4", 5, 64).sent_chunks, 3 * 48);
}

TEST(Bruck, WithALargeRadixIsSpread) {
    const Shape shape = shape_of("bruck:radix=100", 5, 64);
    EXPECT_EQ(shape.sends, 63);
    EXPECT_EQ(shape.depth, 1);
    EXPECT_EQ(shape.copied_chunks, 1);
}

TEST(Bruck, CopiesLessThanTheTextbook) {
    // The textbook rotates (P), packs and unpacks (P each round) and inverts (P).
    for (std::int32_t rank = 0; rank < 64; ++rank) {
        EXPECT_LE(shape_of("bruck", rank, 64).copied_chunks, 64 * 6);
        EXPECT_LT(shape_of("bruck:radix=8", rank, 64).copied_chunks, 3 * 64);
    }
}

TEST(RecursiveDoubling, ExchangesHalfOfAllBlocksOverEachBit) {
    for (std::int32_t ranks : {2, 8, 64}) {
        const std::int64_t bits = digits(ranks, 2);
        for (std::int32_t rank : {0, 1, ranks - 1}) {
            const Shape shape = shape_of("recursive-doubling", rank, ranks);
            EXPECT_EQ(shape.sends, bits);
            EXPECT_EQ(shape.depth, bits);
            EXPECT_EQ(shape.sent_chunks, bits * ranks / 2);
        }
    }
}

TEST(RecursiveDoubling, FoldsRanksBeyondAPowerOfTwo) {
    const Shape folded = shape_of("recursive-doubling", 17, 20);
    EXPECT_EQ(folded.sends, 2);
    EXPECT_EQ(folded.sent_chunks, 20);
    EXPECT_EQ(shape_of("recursive-doubling", 1, 20).depth, 1 + 4 + 1);
    EXPECT_EQ(shape_of("recursive-doubling", 9, 20).sends, 4);
}

TEST(Pairwise, ExchangesOneAfterAnother) {
    for (std::int32_t ranks : numbers_of_ranks) {
        const std::int64_t barrier = digits(ranks, 2);
        EXPECT_EQ(shape_of("pairwise", 1, ranks).sends, ranks - 1);
        EXPECT_EQ(shape_of("pairwise", 1, ranks).depth, ranks - 1);

        const Shape light = shape_of("pairwise-light-barrier", 1, ranks);
        EXPECT_EQ(light.empty_sends, ranks - 2);
        EXPECT_EQ(light.depth, ranks - 1 + ranks - 2);

        const Shape full = shape_of("pairwise-barrier", 1, ranks);
        EXPECT_EQ(full.empty_sends, (ranks - 2) * barrier);
        EXPECT_EQ(full.depth, ranks - 1 + (ranks - 2) * barrier);
    }
}

TEST(Ring, ExchangesWithBothNeighboursInEachStage) {
    for (std::int32_t ranks : numbers_of_ranks) {
        EXPECT_EQ(shape_of("ring", 1, ranks).sends, ranks - 1);
        EXPECT_EQ(shape_of("ring", 1, ranks).depth, ranks / 2);
    }
}

TEST(TwoLevelRing, IsTheFigureOfThePaper) {
    // 3 nodes of 4 ranks: rank 6 is number 2 of node 1. Node shift outside, local shift inside.
    const Algorithm& row = *find_algorithm("alltoall", "two-level-ring");
    const Program program = row.generate(6, {.ranks = 12, .placement = Placement::blocks(12, 4)});
    std::vector<std::int32_t> destinations;
    std::vector<std::int32_t> sources;
    for (const Step& step : program.steps) {
        if (step.kind == StepKind::send) destinations.push_back(step.peer);
        if (step.kind == StepKind::recv) sources.push_back(step.peer);
    }
    EXPECT_EQ(destinations, (std::vector<std::int32_t>{7, 4, 5, 10, 11, 8, 9, 2, 3, 0, 1}));
    EXPECT_EQ(sources, (std::vector<std::int32_t>{5, 4, 7, 2, 1, 0, 3, 10, 9, 8, 11}));
    EXPECT_EQ(shape_of(program).depth, 11);
}

TEST(ContentionFree, GoesFromNodeToNodeAsTheStagesSay) {
    // The paper's dip: five nodes under a leaf of three uplinks and two leaves more.
    const Placement placement = Placement::parse("5x2@0/0,0/1,0/2,1/0,1/1", 10);
    const StageTable& table = placement.routes()->stages();
    EXPECT_EQ(table.stages(), 4);
    const Algorithm& row = *find_algorithm("alltoall", "contention-free");
    for (std::int32_t rank = 0; rank < 10; ++rank) {
        const Program program = row.generate(rank, {.ranks = 10, .placement = placement});
        std::vector<std::int32_t> nodes;
        for (const Step& step : program.steps) {
            if (step.kind == StepKind::send) nodes.push_back(placement.node_of(step.peer));
        }
        std::vector<std::int32_t> expected = {placement.node_of(rank)};  // the other rank there
        for (std::int32_t stage = 0; stage < 4; ++stage) {
            expected.insert(expected.end(), 2, table.receiver(stage, placement.node_of(rank)));
        }
        EXPECT_EQ(nodes, expected);
        EXPECT_EQ(shape_of(program).depth, 9);
        EXPECT_EQ(shape_of(program).copied_chunks, 1);
    }
}

TEST(ContentionFree, HasNoMoreStagesThanNodes) {
    const Shape shape =
        shape_of("contention-free", 3, 8, Placement::parse("4x2@0/0,0/1,0/2,0/3", 8));
    EXPECT_EQ(shape.sends, 7);
    EXPECT_EQ(shape.depth, 7);
}

TEST(NodeAware, SendsOneMessageALeaderBetweenTwoNodes) {
    const Placement placement = Placement::blocks(24, 8);
    const Algorithm& row = *find_algorithm("alltoall", "node-aware");
    for (std::int32_t leaders : {0, 1, 2, 3, 8, 100}) {
        std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> messages;
        std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> blocks;
        for (std::int32_t rank = 0; rank < 24; ++rank) {
            const Program program =
                row.generate(rank, {.ranks = 24,
                                    .parameters = Parameters({{"leaders", leaders}}),
                                    .placement = placement});
            for (const Step& step : program.steps) {
                const std::pair nodes{placement.node_of(rank), placement.node_of(step.peer)};
                if (step.kind != StepKind::send || nodes.first == nodes.second) continue;
                ++messages[nodes];
                blocks[nodes] += step.from.count;
            }
        }
        EXPECT_EQ(messages.size(), 6U);
        for (const auto& [nodes, count] : messages) {
            EXPECT_EQ(count, leaders == 0 ? 8 : std::min(leaders, 8));
            EXPECT_EQ(blocks[nodes], 64);
        }
    }
}

TEST(NodeAware, WithAllRanksAsLeadersScattersNothing) {
    // 7 messages gather, 7 stay inside, 2 go to the other nodes.
    EXPECT_EQ(shape_of("node-aware", 3, 24, Placement::blocks(24, 8)).sends, 7 + 7 + 2);
    EXPECT_EQ(shape_of("node-aware", 3, 24, Placement::blocks(24, 8)).depth, 2);
    EXPECT_EQ(shape_of("node-aware:leaders=1", 3, 24, Placement::blocks(24, 8)).sends, 1 + 7);
}

}  // namespace tasuki
