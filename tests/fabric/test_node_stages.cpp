// Stages for nodes in fat-trees: all pairs, permutations, and no link with two messages.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>
#include <tuple>

#include "fabric/leaf_stages.hpp"
#include "fabric/node_routes.hpp"

namespace tasuki {

namespace {

using ChosenBy = NodeRoutes::ChosenBy;

struct Node {
    std::vector<std::int32_t> groups;  // [level]
    std::vector<std::int32_t> roots;
};

NodeRoutes routes_of(const std::vector<Node>& nodes, ChosenBy chosen_by = ChosenBy::receiver) {
    std::vector<std::int32_t> groups, roots;
    for (const Node& node : nodes) {
        groups.insert(groups.end(), node.groups.begin(), node.groups.end());
        roots.insert(roots.end(), node.roots.begin(), node.roots.end());
    }
    return {static_cast<std::int32_t>(nodes[0].groups.size()), groups, roots, chosen_by};
}

/// The links of a message, told apart by direction, level, group and the way up to there.
std::vector<std::vector<std::int32_t>> links(const Node& sender, const Node& receiver,
                                             const Node& chooser) {
    std::vector<std::vector<std::int32_t>> list;
    for (std::size_t level = 0; level < sender.groups.size(); ++level) {
        if (sender.groups[level] == receiver.groups[level]) break;
        for (const std::int32_t is_down : {0, 1}) {
            const Node& end = is_down != 0 ? receiver : sender;
            list.push_back({is_down, static_cast<std::int32_t>(level), end.groups[level]});
            list.back().insert(list.back().end(), chooser.roots.begin(),
                               chooser.roots.begin() + static_cast<std::ptrdiff_t>(level) + 1);
        }
    }
    return list;
}

/// Checks everything that is promised of stages.
void check(const std::vector<Node>& nodes, ChosenBy chosen_by = ChosenBy::receiver) {
    const NodeRoutes routes = routes_of(nodes, chosen_by);
    const StageTable& table = routes.stages();
    ASSERT_EQ(table.nodes(), routes.nodes());
    EXPECT_GE(table.stages(), routes.least_stages());
    if (routes.has_own_downlinks()) {
        EXPECT_EQ(table.stages(), routes.least_stages());
    }
    std::set<std::pair<std::int32_t, std::int32_t>> pairs;
    for (std::int32_t stage = 0; stage < table.stages(); ++stage) {
        std::set<std::int32_t> receivers;
        std::set<std::vector<std::int32_t>> used;
        for (std::int32_t sender = 0; sender < table.nodes(); ++sender) {
            const std::int32_t receiver = table.receiver(stage, sender);
            if (receiver == StageTable::rest) continue;
            EXPECT_NE(receiver, sender);
            EXPECT_TRUE(pairs.insert({sender, receiver}).second);
            EXPECT_TRUE(receivers.insert(receiver).second);
            const Node& chooser = nodes[chosen_by == ChosenBy::sender ? sender : receiver];
            for (auto& link : links(nodes[sender], nodes[receiver], chooser)) {
                EXPECT_TRUE(used.insert(std::move(link)).second)
                    << routes.text() << " stage " << stage;
            }
        }
    }
    EXPECT_EQ(pairs.size(), nodes.size() * (nodes.size() - 1));
}

/// Leaves with so many nodes each; fullest leaf first, root l mod K.
std::vector<Node> balanced(const std::vector<std::int32_t>& occupancy, std::int32_t roots) {
    std::vector<std::int32_t> order(occupancy.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return occupancy[a] > occupancy[b]; });
    std::vector<Node> nodes;
    for (const std::int32_t leaf : order) {
        for (std::int32_t i = 0; i < occupancy[leaf]; ++i) {
            nodes.push_back({{leaf}, {static_cast<std::int32_t>(nodes.size()) % roots}});
        }
    }
    return nodes;
}

/// `count` random hosts of a tree of `arity` and `height`, by stock routing.
std::vector<Node> random_job(std::int32_t arity, std::int32_t height, std::int32_t count,
                             std::uint32_t seed) {
    std::int32_t all = 2;
    for (std::int32_t level = 0; level <= height; ++level) all *= arity;
    std::vector<std::int32_t> hosts(all);
    std::iota(hosts.begin(), hosts.end(), 0);
    std::shuffle(hosts.begin(), hosts.end(), std::mt19937(seed));
    std::vector<Node> nodes;
    for (std::int32_t i = 0; i < count; ++i) {
        Node node;
        for (std::int32_t level = 0, rest = hosts[i]; level < height; ++level) {
            node.roots.push_back(rest % arity);
            node.groups.push_back(rest /= arity);
        }
        nodes.push_back(node);
    }
    return nodes;
}

}  // namespace

TEST(NodeStages, EveryOccupancyOfThePapersMachineInOneStageLessThanNodes) {
    std::vector<std::int32_t> occupancy(5);
    std::int32_t checked = 0;
    const auto all_from = [&](auto& self, std::size_t leaf, std::int32_t most) -> void {
        if (leaf == occupancy.size()) {
            const std::vector<Node> nodes = balanced(occupancy, 6);
            if (nodes.size() < 3) return;
            check(nodes);
            EXPECT_EQ(routes_of(nodes).least_stages(), static_cast<int>(nodes.size()) - 1);
            ++checked;
            return;
        }
        for (occupancy[leaf] = most; occupancy[leaf] >= 0; --occupancy[leaf]) {
            self(self, leaf + 1, occupancy[leaf]);
        }
    };
    all_from(all_from, 0, 6);
    EXPECT_EQ(checked, 458);
}

TEST(NodeStages, StockRoutingInTheLeastNumberOfStages) {
    int longer = 0;
    for (std::uint32_t seed = 0; seed < 60; ++seed) {
        const std::vector<Node> nodes = random_job(6, 1, 16, seed);
        check(nodes);
        check(nodes, ChosenBy::sender);
        longer += routes_of(nodes).least_stages() > 15 ? 1 : 0;
    }
    EXPECT_GT(longer, 0);
}

TEST(NodeStages, ThreeLevels) {
    for (std::uint32_t seed = 0; seed < 5; ++seed) {
        for (const auto chosen_by : {ChosenBy::receiver, ChosenBy::sender}) {
            check(random_job(3, 2, 30, seed), chosen_by);
            check(random_job(4, 2, 50, seed), chosen_by);
        }
    }
}

TEST(NodeStages, SharedDownlinks) {
    for (std::uint32_t seed = 0; seed < 20; ++seed) {
        std::vector<Node> nodes = random_job(6, 1, 24, seed);
        for (Node& node : nodes) node.roots[0] %= 3;  // half as many roots as hosts of a leaf
        check(nodes);
    }
}

TEST(NodeStages, FewNodes) {
    check({{{0}, {0}}});
    check({{{0}, {0}}, {{0}, {0}}});
    check({{{0}, {0}}, {{1}, {0}}});
    check({{{7}, {5}}, {{7}, {5}}, {{7}, {5}}});
}

TEST(NodeStages, EqualRoutesGiveEqualStages) {
    const NodeRoutes routes = routes_of(random_job(6, 1, 16, 7));
    const auto same = NodeRoutes::parse(routes.text());
    EXPECT_EQ(routes.stages(), same->stages());
    EXPECT_EQ(&routes.stages(), &routes.stages()) << "built once";
}

TEST(NodeStages, SendersAreTheReceiversTurnedRound) {
    const NodeRoutes routes = routes_of(random_job(6, 1, 16, 3));
    const StageTable& table = routes.stages();
    for (std::int32_t node = 0; node < table.nodes(); ++node) {
        const std::vector<std::int32_t> senders = table.senders_to(node);
        for (std::int32_t stage = 0; stage < table.stages(); ++stage) {
            if (senders[stage] == StageTable::rest) continue;
            EXPECT_EQ(table.receiver(stage, senders[stage]), node);
        }
    }
    EXPECT_EQ(table.reversed().reversed(), table);
}

TEST(NodeStages, TooFewStagesAreRefused) {
    const LeafDemand demand{2, {0, 0, 1}, {-1, -1, 0, 1, 2, -1}};
    EXPECT_EQ(demand.least_stages(), 2);
    EXPECT_THROW(leaf_stages(demand, 1), std::invalid_argument);
    EXPECT_EQ(leaf_stages(demand, 4).size(), 12U);
}

TEST(NodeStages, ManyNodes) {
    std::vector<std::int32_t> occupancy;
    for (std::int32_t leaf = 0; leaf < 36; ++leaf) occupancy.push_back(1 + leaf * leaf % 18);
    const std::vector<Node> nodes = balanced(occupancy, 18);
    const NodeRoutes routes = routes_of(nodes);
    EXPECT_EQ(routes.stages().stages(), routes.nodes() - 1);
}

TEST(StageTable, IsForAsManyNodesAsItCanCount) {
    EXPECT_EQ(StageTable(0, StageTable::most_nodes).nodes(), 65535);
    EXPECT_THROW(StageTable(0, StageTable::most_nodes + 1), std::length_error);
}

}  // namespace tasuki
