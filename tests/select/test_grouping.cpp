#include <gtest/gtest.h>
#include <stdexcept>
#include <vector>

#include "select/decision.hpp"
#include "select/grouping.hpp"
#include "select/statistics.hpp"

namespace tasuki {
namespace {

TEST(Grouping, PoliciesCutAsTheySay) {
    const std::vector<double> predicted = {1, 2, 3, 5, unknown, 10};
    EXPECT_EQ(longest_to_measure(predicted, Grouping::everything, 3), 10);
    EXPECT_EQ(longest_to_measure(predicted, Grouping::midpoint, 3), 5.5);
    EXPECT_EQ(longest_to_measure(predicted, Grouping::near_best, 3), 3);
}

TEST(Grouping, OneVerySlowCandidateMovesTheMidpointOnly) {
    const std::vector<double> predicted = {1, 2, 9, 1000};
    EXPECT_GT(longest_to_measure(predicted, Grouping::midpoint, 4), 9);
    EXPECT_LT(longest_to_measure(predicted, Grouping::near_best, 4), 9);
}

TEST(Grouping, NamesReadBack) {
    for (const Grouping grouping :
         {Grouping::everything, Grouping::midpoint, Grouping::near_best}) {
        EXPECT_EQ(read_grouping(name_of(grouping)), grouping);
    }
    EXPECT_THROW(read_grouping("best"), std::invalid_argument);
}

TEST(Statistics, WildSamplesDoNotMoveThem) {
    const std::vector<double> calm = {1.0, 1.1, 0.9, 1.0, 1.05, 0.95, 1.0, 1.0};
    std::vector<double> wild = calm;
    wild[0] = 1000;
    wild[3] = 500;
    EXPECT_NEAR(middle_mean(wild), middle_mean(calm), 0.05);
    EXPECT_NEAR(median(wild), 1.0, 0.05);
    EXPECT_LT(robust_deviation(wild), 0.2);
}

TEST(Statistics, QuantilesAreSamples) {
    const std::vector<double> samples = {4, 1, 3, 2};
    EXPECT_EQ(quantile(samples, 0), 1);
    EXPECT_EQ(quantile(samples, 0.25), 1);
    EXPECT_EQ(quantile(samples, 0.75), 3);
    EXPECT_EQ(quantile(samples, 1), 4);
    EXPECT_EQ(median(samples), 2.5);
    EXPECT_EQ(median(std::vector<double>{7}), 7);
}

}  // namespace
}  // namespace tasuki
