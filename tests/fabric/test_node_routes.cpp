#include <gtest/gtest.h>
#include <stdexcept>

#include "fabric/node_routes.hpp"

namespace tasuki {

TEST(NodeRoutes, ReadBackWhatTheyPrint) {
    for (const char* text : {"0/0", "0/0,0/1,1/2", "sender:3/0,4/0", "5.1/2.0,6.1/0.3,7.2/1.1"}) {
        const auto routes = NodeRoutes::parse(text);
        EXPECT_EQ(routes->text(), text);
        EXPECT_EQ(*NodeRoutes::parse(routes->text()), *routes);
    }
    EXPECT_EQ(NodeRoutes::parse("5.1/2.0,6.1/0.3")->height(), 2);
    EXPECT_EQ(NodeRoutes::parse("5.1/2.0,6.1/0.3")->text_of(1), "6.1/0.3");
}

TEST(NodeRoutes, DifferWhereAnythingDoes) {
    const auto routes = NodeRoutes::parse("0/0,1/1");
    EXPECT_NE(*routes, *NodeRoutes::parse("0/0,1/0"));
    EXPECT_NE(*routes, *NodeRoutes::parse("0/0,2/1"));
    EXPECT_NE(*routes, *NodeRoutes::parse("sender:0/0,1/1"));
}

TEST(NodeRoutes, RefuseWhatAreNone) {
    for (const char* text : {"", "0", "0/", "/0", "0/0,", "0/0,1", "0/-1", "a/b", "0.1/0", "0/0.1",
                             "0/0,1.0/0.0", "receiver:0/0", "0/0 ", "0//0", "99999999999/0"}) {
        EXPECT_THROW(NodeRoutes::parse(text), std::invalid_argument) << text;
    }
    // Two leaves of one number in two groups.
    EXPECT_THROW(NodeRoutes::parse("0.0/0.0,0.1/0.0"), std::invalid_argument);
}

TEST(NodeRoutes, OfSomeNodesInAnotherOrder) {
    const auto routes = NodeRoutes::parse("sender:0/0,0/1,1/2");
    const std::int32_t nodes[] = {2, 0};
    EXPECT_EQ(routes->of(nodes)->text(), "sender:1/2,0/0");
}

TEST(NodeRoutes, KnowWhoSharesADownlink) {
    EXPECT_TRUE(NodeRoutes::parse("0/0,0/1,1/0")->has_own_downlinks());
    EXPECT_FALSE(NodeRoutes::parse("0/0,0/0,1/0")->has_own_downlinks());
    EXPECT_TRUE(NodeRoutes::parse("0/0,0/0")->has_own_downlinks()) << "nothing leaves the leaf";
    EXPECT_FALSE(NodeRoutes::parse("0.0/0.0,1.0/1.0")->has_own_downlinks()) << "three levels";
}

TEST(NodeRoutes, LeastStagesCountTheBusiestLink) {
    EXPECT_EQ(NodeRoutes::parse("0/0")->least_stages(), 0);
    EXPECT_EQ(NodeRoutes::parse("0/0,0/1,0/2,1/3")->least_stages(), 3);
    // Two nodes send to three of root 0 over one uplink.
    EXPECT_EQ(NodeRoutes::parse("0/1,0/2,1/0,2/0,3/0")->least_stages(), 6);
    EXPECT_EQ(NodeRoutes::parse("sender:0/1,0/2,1/0,2/0,3/0")->least_stages(), 6);
    // Likewise two that share a downlink receive from three.
    EXPECT_EQ(NodeRoutes::parse("0/0,0/0,1/1,2/2,3/3")->least_stages(), 6);
}

}  // namespace tasuki
