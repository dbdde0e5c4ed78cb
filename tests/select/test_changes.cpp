// Which changes of the winner's time are looked into, and when.
#include <gtest/gtest.h>
#include <random>
#include <utility>
#include <vector>

#include "select/ranks.hpp"
#include "select/selector.hpp"

namespace tasuki {
namespace {

using test::four;
using test::Ranks;

/// Calls of others than the winner among so many.
int calls_of_others(Ranks& ranks, int count) {
    int others = 0;
    for (int i = 0; i < count; ++i) others += ranks.call() != ranks.selectors[0].current() ? 1 : 0;
    return others;
}

/// In a long run with little noise candidate 2 was chosen.
Ranks after_a_long_run(std::vector<double> seconds) {
    Ranks ranks(2, four);
    ranks.noise = std::lognormal_distribution<double>(0, 0.005);
    ranks.seconds = std::move(seconds);
    ranks.calls(10000);
    EXPECT_EQ(ranks.selectors[0].current(), 2U);
    return ranks;
}

/// In a short run candidate 2 was chosen, and then all became twice as fast.
Ranks warmed_up(std::vector<double> seconds) {
    Ranks ranks(2, four);
    ranks.seconds = std::move(seconds);
    ranks.calls(300);
    EXPECT_EQ(ranks.selectors[0].current(), 2U);
    for (double& each : ranks.seconds) each /= 2;
    return ranks;
}

// A check would be 30 calls of others, and find that nothing is to be done.
TEST(Changes, ALittleChangeIsNotLookedInto) {
    Ranks ranks = after_a_long_run({1e-4, 1.1e-4, 0.8e-4, 0.95e-4});
    ranks.seconds[2] *= 1.03;
    EXPECT_LT(calls_of_others(ranks, 600), 8) << "but for a probe";
    EXPECT_NEAR(ranks.selectors[0].decision().candidates[2].measured, 0.824e-4, 0.01e-4);
    EXPECT_EQ(ranks.selectors[0].decision().relearnings, 0U);
}

TEST(Changes, ManyLittleChangesAreLookedInto) {
    Ranks ranks = after_a_long_run({1e-4, 1.1e-4, 0.8e-4, 0.85e-4});
    for (int change = 0; change < 4; ++change) {
        ASSERT_EQ(ranks.selectors[0].current(), 2U);
        ranks.seconds[2] *= 1.03;
        ranks.calls(1000);
    }
    EXPECT_EQ(ranks.selectors[0].current(), 3U);
}

// As calls do that warm up: a short run has nothing left for a comparison.
TEST(Changes, WhatBecomesFasterIsComparedWhenTheBudgetCanPay) {
    Ranks ranks = warmed_up({2e-4, 2.2e-4, 0.8e-4, 1.9e-4});
    EXPECT_EQ(calls_of_others(ranks, 500), 0);
    EXPECT_EQ(ranks.selectors[0].decision().common_drifts, 0U);
    // What is kept is as old as what is known of the others.
    EXPECT_NEAR(ranks.selectors[0].decision().candidates[2].measured, 0.8e-4, 0.04e-4);
    ranks.calls(20000);
    EXPECT_NEAR(ranks.selectors[0].decision().candidates[2].measured, 0.4e-4, 0.02e-4);
    EXPECT_EQ(ranks.selectors[0].decision().common_drifts, 1U);
    EXPECT_EQ(ranks.selectors[0].decision().relearnings, 0U);
    EXPECT_EQ(ranks.selectors[0].current(), 2U);
}

TEST(Changes, WhatBecomesEvenFasterIsFoundThen) {
    Ranks ranks = warmed_up({1.4e-4, 1.5e-4, 0.8e-4, 1.3e-4});
    ranks.seconds[3] = 0.2e-4;
    ranks.calls(6000);
    EXPECT_EQ(ranks.selectors[0].current(), 3U);
}

// What it is compared with is what it took last, not what it took when it was cold.
TEST(Changes, AWinnerThatWarmsUpAndThenGetsWorseIsLeft) {
    Ranks ranks = warmed_up({2e-4, 2.2e-4, 1e-4, 1.1e-4});
    ranks.calls(500);
    ranks.seconds[2] *= 1.8;
    ranks.calls(500);
    EXPECT_EQ(ranks.selectors[0].current(), 3U);
}

TEST(Changes, AfterAProbeThatWasWrongALittleChangeIsStillNone) {
    Ranks ranks = after_a_long_run({1e-4, 1.1e-4, 0.8e-4, 0.95e-4});
    // Long enough for a probe to find it, too short for it to prove itself.
    ranks.seconds[3] = 0.5e-4;
    int calls = 0;
    while (calls < 20000 && ranks.call() != 3) ++calls;
    ASSERT_LT(calls, 20000);
    ranks.calls(4);
    ranks.seconds[3] = 0.95e-4;
    EXPECT_GT(calls_of_others(ranks, 100), 2) << "it is challenged";
    ranks.calls(2000);
    ASSERT_EQ(ranks.selectors[0].current(), 2U);
    ranks.seconds[2] *= 1.03;
    EXPECT_LT(calls_of_others(ranks, 600), 8) << "but for a probe";
}

}  // namespace
}  // namespace tasuki
