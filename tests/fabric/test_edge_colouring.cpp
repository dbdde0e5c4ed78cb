#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <tuple>

#include "fabric/edge_colouring.hpp"

namespace tasuki {

namespace {

/// Colours with as many colours as the largest degree, and checks that no vertex has one twice.
void check(const std::vector<Edge>& edges, std::int32_t left, std::int32_t right) {
    std::vector<std::int32_t> degree(left + right, 0);
    for (const Edge& edge : edges) {
        ++degree[edge.left];
        ++degree[left + edge.right];
    }
    const std::int32_t most = *std::max_element(degree.begin(), degree.end());
    const std::vector<std::int32_t> colours = colour_edges(edges, left, right, most);
    ASSERT_EQ(colours.size(), edges.size());
    std::set<std::tuple<std::int32_t, std::int32_t>> seen;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        EXPECT_GE(colours[i], 0);
        EXPECT_LT(colours[i], most);
        EXPECT_TRUE(seen.insert({edges[i].left, colours[i]}).second);
        EXPECT_TRUE(seen.insert({left + edges[i].right, colours[i]}).second);
    }
}

}  // namespace

TEST(EdgeColouring, RandomMultigraphs) {
    for (std::uint32_t seed = 0; seed < 200; ++seed) {
        std::mt19937 random(seed);
        const auto left = static_cast<std::int32_t>(1 + random() % 30);
        const auto right = static_cast<std::int32_t>(1 + random() % 30);
        std::vector<Edge> edges(random() % 300);
        for (Edge& edge : edges) {
            edge = {static_cast<std::int32_t>(random() % left),
                    static_cast<std::int32_t>(random() % right)};
        }
        check(edges, left, right);
    }
}

TEST(EdgeColouring, CompleteGraphsOfManyColours) {
    for (const std::int32_t size : {1, 17, 63, 64, 65, 130}) {
        std::vector<Edge> edges;
        for (std::int32_t left = 0; left < size; ++left) {
            for (std::int32_t right = 0; right < size; ++right) edges.push_back({left, right});
        }
        check(edges, size, size);
    }
}

TEST(EdgeColouring, ParallelEdges) {
    check(std::vector<Edge>(5, Edge{0, 0}), 1, 1);
    check({}, 1, 1);
}

}  // namespace tasuki
