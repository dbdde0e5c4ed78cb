#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <span>
#include <vector>

#include "select/drift_test.hpp"

namespace tasuki {
namespace {

std::vector<double> draw(std::mt19937& random, int count, double location) {
    std::lognormal_distribution<double> noise(0, 0.1);
    std::vector<double> samples;
    for (int i = 0; i < count; ++i) samples.push_back(location * noise(random));
    return samples;
}

/// The chance of an alarm, by either way to suspicion, on one side.
double chance_of_alarm(const DriftTest& test, int confirming) {
    return DriftTest::joint_chance(test.suspicion_threshold(), confirming) +
           DriftTest::joint_chance(DriftTest::last_size, confirming, DriftTest::last_size);
}

TEST(DriftTest, ThresholdsKeepTheRateThatWasAskedFor) {
    for (const double rate : {1e-3, 1e-5, 1e-7}) {
        const DriftTest test(rate);
        EXPECT_LE(2 * chance_of_alarm(test, test.confirmation_threshold()), rate);
        EXPECT_GT(2 * chance_of_alarm(test, test.confirmation_threshold() - 1), rate)
            << "stricter than needed";
    }
}

TEST(DriftTest, ChancesAreThoseOfABetaBinomial) {
    EXPECT_NEAR(DriftTest::joint_chance(0, 0), 1, 1e-12);
    // By integrating over the chance that a sample exceeds the quarter.
    EXPECT_NEAR(DriftTest::joint_chance(9, 0), 0.0195398503861551, 1e-12);
    EXPECT_NEAR(DriftTest::joint_chance(9, 25) / 1.8184734947521e-07, 1, 1e-9);
}

TEST(DriftTest, NoiseRaisesAlarmsAtTheCalculatedRate) {
    std::mt19937 random(1);
    const DriftTest thresholds(1e-3);
    constexpr int trials = 40000;
    int alarms = 0;
    for (int trial = 0; trial < trials; ++trial) {
        DriftTest test = thresholds;
        test.set_reference(draw(random, DriftTest::reference_size, 1));
        const Drift suspected = test.suspected(draw(random, DriftTest::window_size, 1));
        if (suspected != Drift::none &&
            test.confirmed(draw(random, DriftTest::confirmation_size, 1)) == suspected) {
            ++alarms;
        }
    }
    // At most: a window may be suspicious in both ways.
    const double least = 2 * trials *
                         DriftTest::joint_chance(thresholds.suspicion_threshold(),
                                                 thresholds.confirmation_threshold());
    const double most =
        2 * trials * chance_of_alarm(thresholds, thresholds.confirmation_threshold());
    EXPECT_GT(alarms, least - 5 * std::sqrt(least) - 3);
    EXPECT_LT(alarms, most + 5 * std::sqrt(most) + 3);
}

TEST(DriftTest, SeesAChangeOfAFifthEitherWay) {
    std::mt19937 random(2);
    int slower = 0;
    int faster = 0;
    for (int trial = 0; trial < 200; ++trial) {
        DriftTest test(1e-7);
        test.set_reference(draw(random, DriftTest::reference_size, 1));
        slower += test.suspected(draw(random, DriftTest::window_size, 1.25)) == Drift::slower &&
                  test.confirmed(draw(random, DriftTest::confirmation_size, 1.25)) == Drift::slower;
        faster += test.suspected(draw(random, DriftTest::window_size, 0.8)) == Drift::faster &&
                  test.confirmed(draw(random, DriftTest::confirmation_size, 0.8)) == Drift::faster;
    }
    EXPECT_GT(slower, 190);
    EXPECT_GT(faster, 190);
}

TEST(DriftTest, SeesAChangeAtTheEndOfAWindow) {
    std::mt19937 random(4);
    int seen = 0;
    for (int trial = 0; trial < 200; ++trial) {
        DriftTest test(1e-7);
        test.set_reference(draw(random, DriftTest::reference_size, 1));
        std::vector<double> window = draw(random, DriftTest::window_size, 1);
        for (double& sample : std::span(window).last(DriftTest::last_size)) sample *= 1.5;
        seen += test.suspected(window) == Drift::slower ? 1 : 0;
    }
    EXPECT_GT(seen, 190);
}

TEST(DriftTest, ASlowRankNowAndThenIsNoChange) {
    std::mt19937 random(3);
    DriftTest test(1e-7);
    test.set_reference(draw(random, DriftTest::reference_size, 1));
    std::vector<double> window = draw(random, DriftTest::confirmation_size, 1);
    window[2] = window[9] = 1000;
    EXPECT_EQ(test.confirmed(window), Drift::none);
}

}  // namespace
}  // namespace tasuki
