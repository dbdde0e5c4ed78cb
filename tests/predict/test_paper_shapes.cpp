// The walk against the shapes of Table 1 of Nanri et al. 2009: what grows with P - 1, with log2 P,
// with P / 2. The printed formulas have unbalanced parentheses and a product of times, so a shape
// is tested, with the terms that the schedule itself gives.
#include <bit>
#include <cmath>
#include <gtest/gtest.h>

#include "algorithms/algorithm.hpp"
#include "predict/machines.hpp"
#include "predict/walk.hpp"

namespace tasuki {
namespace {

constexpr std::int64_t bytes = 4096;

/// The walk of a row with default parameters on a uniform machine; NaN if there is no such row.
double walk_of(std::string_view name, std::int32_t ranks, std::int64_t chunk_bytes = bytes) {
    const Algorithm* row = find_algorithm("alltoall", name);
    if (row == nullptr) return std::nan("");
    return walk_seconds(
        row->schedule({ranks, 0, row->default_parameters(), Placement::one_node(ranks)}),
        chunk_bytes, uniform_machine());
}

const MachineParameters machine = uniform_machine();
const double latency = machine.on_node.latency;
double gap(std::int64_t size) {
    return machine.on_node.gap(size);
}

class PaperShapes : public testing::TestWithParam<std::int32_t> {};

TEST_P(PaperShapes, SimpleSpread) {
    const std::int32_t ranks = GetParam();
    EXPECT_NEAR(walk_of("spread", ranks) / ((ranks - 1) * gap(bytes) + latency), 1, 0.01);
}

TEST_P(PaperShapes, BruckHasLogRoundsOfHalfTheBlocks) {
    const std::int32_t ranks = GetParam();
    const int rounds = std::bit_width(static_cast<unsigned>(ranks)) - 1;
    EXPECT_NEAR(walk_of("bruck", ranks) / (rounds * (latency + gap(ranks / 2 * bytes))), 1, 0.01);
}

TEST_P(PaperShapes, PairwiseHasRoundsOfLatencyAndGap) {
    const std::int32_t ranks = GetParam();
    EXPECT_NEAR(walk_of("pairwise", ranks) / ((ranks - 1) * (latency + gap(bytes))), 1, 0.01);
}

TEST_P(PaperShapes, LightBarrierAddsAnEmptyMessageARound) {
    const std::int32_t ranks = GetParam();
    const double added = walk_of("pairwise-light-barrier", ranks) - walk_of("pairwise", ranks);
    EXPECT_GT(added, 0.5 * (ranks - 2) * latency);
    EXPECT_LT(added, 1.5 * (ranks - 2) * (latency + gap(0)));
}

TEST_P(PaperShapes, BarrierAddsLogManyEmptyMessagesARound) {
    const std::int32_t ranks = GetParam();
    const int rounds = std::bit_width(static_cast<unsigned>(ranks)) - 1;
    const double added = walk_of("pairwise-barrier", ranks) - walk_of("pairwise", ranks);
    EXPECT_NEAR(added / ((ranks - 2) * rounds * (latency + gap(0))), 1, 0.05);
}

TEST_P(PaperShapes, RecursiveDoublingHasLogRoundsOfHalfTheBlocks) {
    const std::int32_t ranks = GetParam();
    const int rounds = std::bit_width(static_cast<unsigned>(ranks)) - 1;
    EXPECT_NEAR(
        walk_of("recursive-doubling", ranks) / (rounds * (latency + gap(ranks / 2 * bytes))), 1,
        0.01);
}

TEST_P(PaperShapes, RingHasHalfAsManyRounds) {
    const std::int32_t ranks = GetParam();
    EXPECT_NEAR(walk_of("ring", ranks) / (ranks / 2.0 * (latency + 2 * gap(bytes))), 1, 0.12);
}

INSTANTIATE_TEST_SUITE_P(Ranks, PaperShapes, testing::Values(8, 32, 128));

}  // namespace
}  // namespace tasuki
