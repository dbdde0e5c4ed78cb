// How many messages a rank sends and how many stand one behind the other, for collectives other
// than all-to-all. That their results are right is proven in test_every_row.
#include <algorithm>
#include <gtest/gtest.h>
#include <string_view>
#include <vector>

#include "algorithms/algorithm.hpp"

namespace tasuki {

namespace {

struct Shape {
    std::int64_t steps = 0;
    std::int64_t sends = 0;
    std::int64_t sent_chunks = 0;
    std::int64_t copied_chunks = 0;
    std::int64_t reduced_chunks = 0;
    std::int64_t depth = 0;  ///< messages of the longest chain of dependent steps
};

Shape shape_of(std::string_view collective, std::string_view text, std::int32_t rank,
               std::int32_t ranks, std::int32_t root = 0, std::int32_t per_node = 8) {
    const auto [row, parameters, carrier] = parse_choice(collective, text);
    const Program program =
        row->generate(rank, {ranks, root, parameters, Placement::blocks(ranks, per_node)});
    Shape shape;
    std::vector<std::int64_t> depths;
    for (const Step& step : program.steps) {
        std::int64_t depth = 0;
        for (StepId earlier : program.after(step)) depth = std::max(depth, depths[earlier]);
        depths.push_back(depth + (step.is_message() ? 1 : 0));
        shape.depth = std::max(shape.depth, depths.back());
        ++shape.steps;
        if (step.kind == StepKind::copy) shape.copied_chunks += step.to.count;
        if (step.kind == StepKind::reduce) shape.reduced_chunks += step.to.count;
        if (step.kind != StepKind::send) continue;
        ++shape.sends;
        shape.sent_chunks += step.from.count;
    }
    return shape;
}

}  // namespace

TEST(Bcast, SendsDownItsTree) {
    EXPECT_EQ(shape_of("bcast", "binomial", 3, 64, 3).sends, 6);
    EXPECT_EQ(shape_of("bcast", "binomial", 2, 64, 3).sends, 0);  // the last one of the tree
    EXPECT_EQ(shape_of("bcast", "knomial:radix=4", 3, 64, 3).sends, 9);
    EXPECT_EQ(shape_of("bcast", "chain:segments=8", 5, 64).sends, 8);
    EXPECT_EQ(shape_of("bcast", "chain:segments=8", 63, 64).sends, 0);
    // Half of the vector and less down the tree, then every chunk once.
    EXPECT_EQ(shape_of("bcast", "scatter-allgather", 0, 64).sent_chunks, 63 + 63);
    EXPECT_EQ(shape_of("bcast", "scatter-allgather", 63, 64).sends, 0);
}

TEST(Allreduce, RecursiveDoublingCopiesNothing) {
    for (const std::int32_t ranks : {2, 8, 64}) {
        const Shape shape = shape_of("allreduce", "recursive-doubling", 1, ranks);
        EXPECT_EQ(shape.copied_chunks, 0);
        EXPECT_EQ(shape.sends, shape.depth);
        EXPECT_EQ(shape.reduced_chunks, shape.sends);
    }
}

TEST(Allreduce, CanonicalTreeHasTwoRoundsMoreBeyondAPowerOfTwo) {
    EXPECT_EQ(shape_of("allreduce", "canonical-tree", 5, 64).sends, 6);
    EXPECT_EQ(shape_of("allreduce", "canonical-tree", 5, 64).depth, 6);
    EXPECT_EQ(shape_of("allreduce", "canonical-tree", 70, 100).sends, 1);
    EXPECT_LE(shape_of("allreduce", "canonical-tree", 5, 100).depth, 1 + 6 + 1);
    EXPECT_LE(shape_of("allreduce", "canonical-tree", 5, 100).sends, 2 * 6 + 1);
}

TEST(Allreduce, RabenseifnerHalvesAndDoubles) {
    const Shape shape = shape_of("allreduce", "rabenseifner", 5, 64);
    EXPECT_EQ(shape.sends, 12);
    EXPECT_EQ(shape.sent_chunks, 2 * 63);
    EXPECT_EQ(shape.reduced_chunks, 63);
    EXPECT_EQ(shape.copied_chunks, 0);
}

TEST(Allreduce, RingsSendEveryBlockTwice) {
    for (const std::string_view ring : {"ring", "segmented-ring:segments=3"}) {
        const std::int64_t segments = ring == "ring" ? 1 : 3;
        const Shape shape = shape_of("allreduce", ring, 5, 20);
        EXPECT_EQ(shape.sends, 2 * 19 * segments);
        EXPECT_EQ(shape.reduced_chunks, 19 * segments);
        EXPECT_EQ(shape.copied_chunks, 0);
    }
}

TEST(Allreduce, NodeAwareSendsBetweenNodesByLeadersOnly) {
    EXPECT_EQ(shape_of("allreduce", "node-aware", 3, 32, 0, 8).sends, 1);
    EXPECT_EQ(shape_of("allreduce", "node-aware", 8, 32, 0, 8).sends, 2 + 3);
}

TEST(Trees, KeepTheRootOfAReductionInItsPlace) {
    for (std::int32_t root = 0; root < 13; ++root) {
        std::int64_t sends = 0;
        for (std::int32_t rank = 0; rank < 13; ++rank) {
            const Shape shape = shape_of("reduce", "canonical-tree", rank, 13, root);
            EXPECT_EQ(shape.sends, rank == root ? 0 : 1);
            sends += shape.sends;
        }
        EXPECT_EQ(sends, 12);
    }
}

TEST(PaddedBinomial, IsTheBinomialTreeAndATailOfEachRank) {
    for (const std::string_view collective : {"gather", "scatter"}) {
        std::int64_t sends = 0, tree_sends = 0;
        for (std::int32_t rank = 0; rank < 13; ++rank) {
            const Shape padded = shape_of(collective, "padded-binomial", rank, 13, 4);
            const Shape tree = shape_of(collective, "binomial", rank, 13, 4);
            EXPECT_EQ(padded.depth, std::max<std::int64_t>(tree.depth, 1));
            sends += padded.sends;
            tree_sends += tree.sends;
        }
        EXPECT_EQ(sends, tree_sends + 12);
    }
}

TEST(Programs, OfARankCostWhatItDoes) {
    const std::pair<std::string_view, std::string_view> rows[] = {
        {"barrier", "dissemination"},
        {"barrier", "binomial-tree"},
        {"bcast", "binomial"},
        {"bcast", "knomial"},
        {"bcast", "chain"},
        {"reduce", "binomial"},
        {"reduce", "rabenseifner"},
        {"reduce", "canonical-tree"},
        {"allreduce", "recursive-doubling"},
        {"allreduce", "rabenseifner"},
        {"allreduce", "reduce-bcast"},
        {"allreduce", "canonical-tree"},
        {"scan", "hillis-steele"},
        {"scan", "canonical-tree"},
        {"exscan", "hillis-steele"},
        {"gather", "binomial"},
        {"allgather", "bruck"},
        {"allgather", "recursive-doubling"},
    };
    for (const auto& [collective, name] : rows) {
        for (const std::int32_t rank : {0, 1, 50'000, 65'536, 100'002}) {
            EXPECT_LE(shape_of(collective, name, rank, 100'003, 0, 32).steps, 140)
                << collective << "/" << name << " rank " << rank;
        }
    }
}

}  // namespace tasuki
