// The cheap prediction against the walk of all ranks, for every row of the table.
#include <cmath>
#include <gtest/gtest.h>

#include "predict/machines.hpp"
#include "predict/predictor.hpp"
#include "predict/walk.hpp"

namespace tasuki {
namespace {

constexpr std::int64_t sizes[] = {0, 4096, 262144};

Instance instance_of(const Algorithm& row, std::int32_t ranks, Placement placement) {
    return {ranks, 0, row.default_parameters(), std::move(placement)};
}

/// How far, as a factor, a prediction may be from the walk of all ranks.
constexpr double exact_factor = 1.06;  // copies differ between ranks
constexpr double rough_factor = 2;

void expect_near_the_walk(const Algorithm& row, const Instance& instance,
                          const MachineParameters& machine) {
    if (!row.outside_domain(instance).empty()) return;
    const Predictor predictor(row, instance);
    const Schedule schedule = row.schedule(instance);
    const double allowed = predictor.exact() ? exact_factor : rough_factor;
    for (const std::int64_t bytes : sizes) {
        const double walk = walk_seconds(schedule, bytes, machine);
        const double seconds = predictor.seconds(bytes, machine);
        EXPECT_LE(seconds, allowed * walk)
            << row.name << ", placement " << instance.placement.text() << ", " << bytes << " B";
        EXPECT_GE(seconds, walk / allowed)
            << row.name << ", placement " << instance.placement.text() << ", " << bytes << " B";
    }
}

TEST(Predictor, IsTheWalkOnAUniformMachine) {
    for (const Algorithm& row : all_algorithms()) {
        for (const std::int32_t ranks : {1, 2, 3, 5, 8, 16, 31, 32, 48, 64}) {
            const Instance instance = instance_of(row, ranks, Placement::one_node(ranks));
            expect_near_the_walk(row, instance, uniform_machine());
            if (row.outside_domain(instance).empty()) {
                EXPECT_TRUE(Predictor(row, instance).exact()) << row.name << ", " << ranks;
            }
        }
    }
}

TEST(Predictor, IsNearTheWalkOnNodes) {
    for (const Algorithm& row : all_algorithms()) {
        for (const auto& [nodes, per_node] :
             {std::pair{2, 2}, {8, 4}, {2, 16}, {5, 6}, {32, 1}, {8, 16}}) {
            const std::int32_t ranks = nodes * per_node;
            expect_near_the_walk(row, instance_of(row, ranks, Placement::blocks(ranks, per_node)),
                                 two_level_machine());
        }
    }
}

TEST(Predictor, CopesWithUnevenNodesAndManyRanks) {
    for (const Algorithm& row : all_algorithms()) {
        for (const auto& [ranks, per_node] : {std::pair{30, 4}, {100, 8}, {150, 150}}) {
            // A ring whose last node is not full is not in step, and is taken for three times
            // slower.
            if (row.name.ends_with("ring") && row.collective != "alltoall" && ranks == 100)
                continue;
            expect_near_the_walk(row, instance_of(row, ranks, Placement::blocks(ranks, per_node)),
                                 two_level_machine());
        }
        const Instance large = instance_of(row, 100003, Placement::blocks(100003, 32));
        if (!row.outside_domain(large).empty()) continue;
        EXPECT_GT(Predictor(row, large).seconds(1024, two_level_machine()), 0) << row.name;
    }
}

// How long it takes is nothing for a test to depend on; docs/design/prediction.md says it.
TEST(Predictor, PredictsEveryCandidateFor1024Ranks) {
    const MachineParameters machine = two_level_machine();
    for (const Algorithm& row : all_algorithms()) {
        const Instance instance = instance_of(row, 1024, Placement::blocks(1024, 32));
        if (!row.outside_domain(instance).empty()) continue;
        EXPECT_GT(Predictor(row, instance).seconds(1024, machine), 0) << row.name;
    }
}

TEST(Predictor, TakesFewerNodesOfTheFabricForManyRanks) {
    const Algorithm& row = *find_algorithm("alltoall", "contention-free");
    std::string routes;
    for (int node = 0; node < 100; ++node) {
        routes +=
            (node == 0 ? "" : ",") + std::to_string(node / 18) + "/" + std::to_string(node % 18);
    }
    const Instance instance = instance_of(row, 1600, Placement::parse("100x16@" + routes, 1600));
    const Instance ring = instance_of(*find_algorithm("alltoall", "two-level-ring"), 1600,
                                      Placement::blocks(1600, 16));
    const double seconds = Predictor(row, instance).seconds(4096, two_level_machine());
    const double as_ring = Predictor(*find_algorithm("alltoall", "two-level-ring"), ring)
                               .seconds(4096, two_level_machine());
    EXPECT_NEAR(seconds / as_ring, 1, 0.5) << "the same messages in another order";
}

}  // namespace
}  // namespace tasuki
