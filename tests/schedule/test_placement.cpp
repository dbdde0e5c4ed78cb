#include <gtest/gtest.h>
#include <limits>
#include <stdexcept>

#include "schedule/placement.hpp"

namespace tasuki {
namespace {

/// Holds for every placement whatever its form: the four look-ups agree.
void expect_consistent(const Placement& placement) {
    std::int32_t ranks = 0;
    for (std::int32_t node = 0; node < placement.nodes(); ++node) {
        EXPECT_GE(placement.ranks_on(node), 1);
        EXPECT_LE(placement.ranks_on(node), placement.most_ranks_on_a_node());
        for (std::int32_t local = 0; local < placement.ranks_on(node); ++local) {
            const std::int32_t rank = placement.rank_at(node, local);
            EXPECT_EQ(placement.node_of(rank), node);
            EXPECT_EQ(placement.local_of(rank), local);
            ++ranks;
        }
    }
    EXPECT_EQ(ranks, placement.ranks());
    EXPECT_EQ(Placement::parse(placement.text(), placement.ranks()), placement);
}

TEST(Placement, OfBlocks) {
    for (std::int32_t ranks = 1; ranks <= 12; ++ranks) {
        for (std::int32_t per_node = 1; per_node <= 13; ++per_node) {
            expect_consistent(Placement::blocks(ranks, per_node));
        }
    }
    EXPECT_EQ(Placement::blocks(7, 3).nodes(), 3);
    EXPECT_EQ(Placement::blocks(7, 3).ranks_on(2), 1);
}

TEST(Placement, OfAnyNodes) {
    const std::int32_t nodes[] = {7, 3, 7, 7, 5, 3};
    const Placement placement = Placement::from_nodes(nodes);
    expect_consistent(placement);
    EXPECT_EQ(placement.text(), "0,1,0,0,2,1");
    EXPECT_EQ(placement.most_ranks_on_a_node(), 3);
}

TEST(Placement, OfEvenBlocksIsTheSameHoweverItIsTold) {
    const std::int32_t nodes[] = {4, 4, 9, 9, 1};
    EXPECT_EQ(Placement::from_nodes(nodes), Placement::blocks(5, 2));
    EXPECT_EQ(Placement::parse("2x4", 8), Placement::blocks(8, 4));
    EXPECT_EQ(Placement::parse("4", 8), Placement::blocks(8, 4));
    EXPECT_EQ(Placement::parse("0,0,1,1", 4), Placement::blocks(4, 2));
    EXPECT_EQ(Placement::parse("0", 1), Placement::one_node(1));
}

TEST(Placement, OfExtremeNumbersOfRanks) {
    constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
    EXPECT_EQ(Placement::one_node(most).nodes(), 1);
    EXPECT_EQ(Placement::blocks(most, 2).nodes(), 1 << 30);
}

TEST(Placement, RefusesWhatIsNone) {
    for (const char* text : {"", "x", "2x", "x2", "3x3", "0", "-4", "0,0,1", "0,,1,1", "a,b,c,d",
                             "0,0,1,-1", "99999999999", "2x4 "}) {
        EXPECT_THROW(Placement::parse(text, 4), std::invalid_argument) << text;
    }
    EXPECT_THROW(Placement::blocks(0, 1), std::invalid_argument);
    EXPECT_THROW(Placement::blocks(1, 0), std::invalid_argument);
    EXPECT_THROW(Placement::from_nodes({}), std::invalid_argument);
}

TEST(Placement, WithRoutes) {
    for (const char* text : {"2x2@0/0,0/1", "2@sender:0/0,1/1", "0,1,0,0@3.1/0.1,4.1/2.0"}) {
        const Placement placement = Placement::parse(text, 4);
        expect_consistent(placement);
        EXPECT_EQ(placement.routes()->nodes(), placement.nodes());
        EXPECT_NE(placement, placement.without_routes("somebody took them"));
        EXPECT_EQ(placement.without_routes("somebody took them").why_no_routes(),
                  "somebody took them");
    }
    EXPECT_EQ(Placement::parse("2x2@0/0,0/1", 4).text(), "2x2@0/0,0/1");
    EXPECT_EQ(Placement::parse("2x2@0/0,0/1", 4), Placement::parse("0,0,1,1@0/0,0/1", 4));
    EXPECT_NE(Placement::parse("2x2@0/0,0/1", 4), Placement::parse("2x2@0/0,1/1", 4));
    EXPECT_NE(Placement::blocks(4, 2).why_no_routes(), "");
    for (const char* text : {"2x2@", "2x2@0/0", "2x2@0/0,0/1,0/2", "@0/0,0/1"}) {
        EXPECT_THROW(Placement::parse(text, 4), std::invalid_argument) << text;
    }
}

TEST(Placement, SaysWhatWasExpected) {
    try {
        Placement::parse("3x3", 8);
        FAIL() << "9 are not 8";
    } catch (const std::invalid_argument& error) {
        EXPECT_STREQ(error.what(),
                     "placement \"3x3\": does not make 8 ranks; expected NODESxRANKS_PER_NODE "
                     "(2x4), RANKS_PER_NODE (4) or the node of every rank (0,0,1,1)");
    }
}

}  // namespace
}  // namespace tasuki
