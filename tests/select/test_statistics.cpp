#include <gtest/gtest.h>
#include <vector>

#include "select/statistics.hpp"

namespace tasuki {
namespace {

/// The chance that of `n` samples and `m` others, dealt at random, at most `misses` pairs are in
/// the wrong order: by counting all deals.
double counted_chance(int n, int m, int misses) {
    // ways[j][u]: deals of i samples and j others with u pairs in the wrong order.
    std::vector<std::vector<double>> ways(m + 1, std::vector<double>(n * m + 1));
    for (auto& row : ways) row[0] = 1;
    for (int i = 1; i <= n; ++i) {
        for (int j = 1; j <= m; ++j) {
            // The greatest is another one, or one of the samples, above all j others.
            std::vector<double> next = ways[j - 1];
            for (int u = j; u <= n * m; ++u) next[u] += ways[j][u - j];
            ways[j] = next;
        }
    }
    double all = 0;
    double as_good = 0;
    for (int u = 0; u <= n * m; ++u) {
        all += ways[m][u];
        if (u <= misses) as_good += ways[m][u];
    }
    return as_good / all;
}

/// `low` all below `high`, but for so many pairs.
double chance_with(int n, int m, int misses) {
    std::vector<double> low(n);
    std::vector<double> high(m);
    for (int i = 0; i < n; ++i) low[i] = -1;
    for (int i = 0; i < m; ++i) high[i] = i;
    low[0] = misses - 0.5;  // above so many of the others
    return chance_of_ranks(low, high);
}

TEST(Statistics, ChancesOfRanksAreNotTooSmall) {
    EXPECT_NEAR(counted_chance(2, 2, 0), 1.0 / 6, 1e-12);
    for (const int misses : {0, 8, 16, 32}) {
        EXPECT_GE(chance_with(32, 32, misses), counted_chance(32, 32, misses)) << misses;
    }
}

TEST(Statistics, EqualSamplesSayNothing) {
    const std::vector<double> equal(8, 1.0);
    EXPECT_DOUBLE_EQ(chance_of_ranks(equal, equal), 0.5);
}

}  // namespace
}  // namespace tasuki
