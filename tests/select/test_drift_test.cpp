#include <algorithm>
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

/// The fewest samples of a confirmation in a tail that are an alarm.
int least_confirming(const DriftTest& test, int of_tail) {
    int least = 0;
    while (!test.confirms(of_tail, least)) ++least;
    return least;
}

TEST(DriftTest, ThresholdsKeepTheRateThatWasAskedFor) {
    for (const double rate : {1e-3, 1e-5, 1e-7}) {
        const DriftTest test(rate);
        for (int tail = 0; tail < DriftTest::tails; ++tail) {
            const int threshold = least_confirming(test, tail);
            EXPECT_LE(2 * DriftTest::chance_of_alarm(tail, threshold), rate);
            EXPECT_GT(2 * DriftTest::chance_of_alarm(tail, threshold - 1), rate)
                << "stricter than needed";
        }
    }
}

TEST(DriftTest, ChancesAreThoseOfABetaBinomial) {
    EXPECT_NEAR(DriftTest::joint_chance(0, 0, 0), 1, 1e-12);
    EXPECT_NEAR(DriftTest::joint_chance(1, 0, 0), 1, 1e-12);
    // By integrating over the chance that a sample exceeds the quarter, and all but two.
    EXPECT_NEAR(DriftTest::joint_chance(0, 9, 0), 0.0195398503861551, 1e-12);
    EXPECT_NEAR(DriftTest::joint_chance(0, 9, 25) / 1.8184734947521e-07, 1, 1e-9);
    EXPECT_NEAR(DriftTest::joint_chance(1, 6, 0), 0.000582635148084666, 1e-12);
    EXPECT_NEAR(DriftTest::joint_chance(1, 6, 15) / 3.0186375903171e-8, 1, 1e-9);
}

TEST(DriftTest, NoiseRaisesAlarmsAtTheCalculatedRate) {
    std::mt19937 random(1);
    const DriftTest thresholds(1e-3);
    constexpr int trials = 40000;
    int alarms = 0;
    for (int trial = 0; trial < trials; ++trial) {
        DriftTest test = thresholds;
        test.set_reference(draw(random, DriftTest::reference_size, 1));
        const Suspicion suspicion = test.suspected(draw(random, DriftTest::window_size, 1));
        if (suspicion.drift != Drift::none &&
            test.confirmed(draw(random, DriftTest::confirmation_size, 1), suspicion)) {
            ++alarms;
        }
    }
    // At most: a window may be suspicious in several ways.
    const double least =
        2 * trials *
        DriftTest::joint_chance(0, DriftTest::tail[0].suspicion, least_confirming(thresholds, 0));
    double most = 0;
    for (int tail = 0; tail < DriftTest::tails; ++tail) {
        most += 2 * trials * DriftTest::chance_of_alarm(tail, least_confirming(thresholds, tail));
    }
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
        const auto sees = [&](Drift drift, double factor) {
            const Suspicion suspicion =
                test.suspected(draw(random, DriftTest::window_size, factor));
            return suspicion.drift == drift &&
                   test.confirmed(draw(random, DriftTest::confirmation_size, factor), suspicion);
        };
        slower += sees(Drift::slower, 1.25) ? 1 : 0;
        faster += sees(Drift::faster, 0.8) ? 1 : 0;
    }
    EXPECT_GT(slower, 190);
    EXPECT_GT(faster, 190);
}

/// Of two kinds, as with one root and then another: the upper quarter lies among the slower ones.
TEST(DriftTest, SeesAChangeOfOneOfTwoKinds) {
    std::mt19937 random(5);
    const auto mixed = [&](int count, double second) {
        std::vector<double> samples = draw(random, count / 2, 1);
        const std::vector<double> others = draw(random, count / 2, second);
        samples.insert(samples.end(), others.begin(), others.end());
        std::ranges::shuffle(samples, random);
        return samples;
    };
    int seen = 0;
    for (int trial = 0; trial < 200; ++trial) {
        DriftTest test(1e-7);
        test.set_reference(mixed(DriftTest::reference_size, 5));
        const Suspicion suspicion = test.suspected(mixed(DriftTest::window_size, 10));
        seen += suspicion.drift == Drift::slower &&
                        test.confirmed(mixed(DriftTest::confirmation_size, 10), suspicion)
                    ? 1
                    : 0;
    }
    EXPECT_GT(seen, 190);
}

TEST(DriftTest, SeesAChangeAtTheEndOfAWindow) {
    std::mt19937 random(4);
    int seen = 0;
    for (int trial = 0; trial < 200; ++trial) {
        DriftTest test(1e-7);
        test.set_reference(draw(random, DriftTest::reference_size, 1));
        std::vector<double> window = draw(random, DriftTest::window_size, 1);
        for (double& sample : std::span(window).last(DriftTest::last_size)) sample *= 1.5;
        seen += test.suspected(window).drift == Drift::slower ? 1 : 0;
    }
    EXPECT_GT(seen, 190);
}

TEST(DriftTest, ASlowRankNowAndThenIsNoChange) {
    std::mt19937 random(3);
    DriftTest test(1e-7);
    test.set_reference(draw(random, DriftTest::reference_size, 1));
    std::vector<double> window = draw(random, DriftTest::confirmation_size, 1);
    window[2] = window[9] = 1000;
    EXPECT_FALSE(test.confirmed(window, {Drift::slower, (1U << DriftTest::tails) - 1}));
}

}  // namespace
}  // namespace tasuki
