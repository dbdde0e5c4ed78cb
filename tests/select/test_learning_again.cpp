// What makes the selector learn again, and who takes part.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "select/ranks.hpp"
#include "select/selector.hpp"

namespace tasuki {
namespace {

using test::four;
using test::Ranks;

/// Times how often it learns again in a million calls of nothing but noise: normal in the
/// logarithm, of this deviation, each sample correlated with the one before.
std::uint32_t learnt_again_by_noise(double deviation, double correlation, std::uint64_t seed) {
    constexpr double seconds[] = {1e-4, 1.1e-4, 0.8e-4, 0.95e-4};
    Selector selector(four, {});
    std::mt19937_64 random(seed);
    std::normal_distribution<double> normal;
    double state = 0;
    for (int call = 0; call < 1000000; ++call) {
        const CallPlan plan = selector.next();
        if (plan.timed) {
            state = correlation * state + std::sqrt(1 - correlation * correlation) * normal(random);
            selector.sample(seconds[plan.candidate] * std::exp(deviation * state));
        }
        if (plan.agree) {
            selector.agreed();
            selector.agreement_took(1e-6);
        }
    }
    return selector.decision().relearnings;
}

// A probe of two calls beats the winner by luck, and a check of eight found the winner slower.
TEST(LearningAgain, NoiseIsNoReason) {
    for (const double deviation : {0.04, 0.1, 0.2}) {
        for (std::uint64_t seed = 0; seed < 4; ++seed) {
            EXPECT_EQ(learnt_again_by_noise(deviation, 0, seed), 0U)
                << "noise of " << deviation << ", seed " << seed;
        }
    }
}

TEST(LearningAgain, ACandidateThatAProbeHasFoundHasToProveIt) {
    Ranks ranks(2, four);
    ranks.seconds = {1e-4, 1.3e-4, 0.8e-4, 0.95e-4};
    ranks.calls(10000);
    ranks.seconds[1] = 0.68e-4;  // three standard deviations of a sample
    ranks.calls(40000);
    EXPECT_EQ(ranks.selectors[0].current(), 1U);
    EXPECT_EQ(ranks.selectors[0].decision().relearnings, 1U);
}

/// Has the winner of `ranks` become slower and fast again; how often each candidate ran meanwhile.
std::vector<int> runs_in_a_drift(Ranks& ranks, double drift) {
    std::vector<int> runs(ranks.seconds.size());
    const std::uint32_t winner = ranks.selectors[0].current();
    ranks.seconds[winner] *= drift;
    for (int i = 0; i < 600; ++i) ++runs[ranks.call()];
    ranks.seconds[winner] /= drift;
    ranks.calls(20000);  // a probe finds it
    return runs;
}

/// Without probes, and the winner would be left for good.
Ranks ranks_with_a_slow_one() {
    SelectionSettings settings;
    settings.exclusion_lifetime = 2;
    Ranks ranks(2, four, settings);
    ranks.noise = std::lognormal_distribution<double>(0, 0.01);
    ranks.seconds = {1.3e-4, 1.35e-4, 0.8e-4, 0.9e-4};
    ranks.calls(20000);
    return ranks;
}

// A check looks at three beside the winner, at two times five calls each. Those that it finds to be
// slower than the best by a fifth take no part in learning, three times in a row.
TEST(LearningAgain, LeavesOutWhatIsSlowerButNotForEver) {
    Ranks ranks = ranks_with_a_slow_one();
    constexpr int in_a_check = 10;
    std::vector<int> runs_of_slow;
    for (int drift = 0; drift < 3; ++drift) {
        ASSERT_EQ(ranks.selectors[0].current(), 2U) << drift;
        runs_of_slow.push_back(runs_in_a_drift(ranks, 2)[1]);
    }
    EXPECT_LE(runs_of_slow[0], in_a_check + 2) << "and a probe";
    EXPECT_GE(std::max(runs_of_slow[1], runs_of_slow[2]), in_a_check + 5)
        << "it was left out for ever";
}

// Between the one in use and another that is as good, noise would choose.
TEST(LearningAgain, WhatIsInUseIsLeftOnlyForSomethingBetter) {
    int left = 0;
    for (unsigned seed = 0; seed < 20; ++seed) {
        Ranks ranks(2, {{"native", unknown}, {"spread", 80e-6}, {"bruck", 80.1e-6}});
        ranks.random.seed(seed);
        ranks.seconds = {1.5e-4, 0.8e-4, 1.1e-4};
        ranks.calls(5000);
        ASSERT_EQ(ranks.selectors[0].current(), 1U);
        ranks.seconds[1] = ranks.seconds[2];
        ranks.calls(2000);
        EXPECT_GE(ranks.selectors[0].decision().relearnings, 1U);
        left += ranks.selectors[0].current() != 1 ? 1 : 0;
    }
    EXPECT_LE(left, 3) << "of 20; noise would leave it in 10";
}

TEST(LearningAgain, TheHostIsRarelyLeftForEquals) {
    int left = 0;
    for (unsigned seed = 0; seed < 400; ++seed) {
        Ranks ranks(2, {{"native", unknown}, {"spread", 100e-6}, {"bruck", 100.1e-6}});
        ranks.random.seed(seed);
        ranks.seconds = {1e-4, 1e-4, 1e-4};
        ranks.calls(20000);
        left += ranks.selectors[0].current() != 0 ? 1 : 0;
    }
    EXPECT_LE(left, 50) << "of 400; noise would leave it in 267";
}

}  // namespace
}  // namespace tasuki
