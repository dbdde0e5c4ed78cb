// Which ranks are on one node.
#include <gtest/gtest.h>
#include <unistd.h>

#include "predict/whereabouts.hpp"

namespace tasuki {
namespace {

using Nodes = std::vector<std::int32_t>;

TEST(Whereabouts, ARankIsWhereItsThreadRuns) {
    const Whereabouts own = own_whereabouts();
    EXPECT_EQ(own.thread, gettid());
    EXPECT_EQ(own.boot, own_whereabouts().boot);
    EXPECT_EQ(own.surroundings, own_whereabouts().surroundings);
}

TEST(Whereabouts, NodesAreBootsInTheOrderOfTheirFirstRanks) {
    const std::vector<Whereabouts> ranks{{7, 1, 10}, {5, 2, 10}, {7, 1, 11}, {5, 2, 11}, {9, 1, 1}};
    EXPECT_EQ(nodes_of(ranks), (Nodes{0, 1, 0, 1, 2}));
    EXPECT_EQ(nodes_of({}), Nodes());
}

TEST(Whereabouts, ContainersOfOneBootAreLeftToWhoKnowsThem) {
    const std::vector<Whereabouts> ranks{{7, 1, 10}, {5, 2, 10}, {7, 3, 11}};
    EXPECT_EQ(nodes_of(ranks), std::nullopt);
}

TEST(Whereabouts, ARankThatDoesNotTellLeavesAllUntold) {
    const std::vector<Whereabouts> ranks{{7, 1, 10}, {0, 1, 11}};
    EXPECT_EQ(nodes_of(ranks), std::nullopt);
    const std::vector<Whereabouts> none{{0, 1, 10}, {0, 1, 11}};
    EXPECT_EQ(nodes_of(none), std::nullopt);
}

}  // namespace
}  // namespace tasuki
