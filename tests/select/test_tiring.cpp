// Candidates that are fast until they have run some time in a row.
#include <gtest/gtest.h>
#include <vector>

#include "select/ranks.hpp"
#include "select/selector.hpp"

namespace tasuki {
namespace {

using test::calls_to_agreement;
using test::four;
using test::Ranks;

/// Two that share cores, where agreements are dear. Candidates take `native` and `memory` seconds.
Ranks that_share_cores(double native, double memory, const Decision* known = nullptr) {
    Ranks ranks(2, {{"native", unknown}, {"memory", 30e-6}},
                SelectionSettings::where_ranks_share_cores(), known);
    ranks.seconds = {native, memory};
    ranks.agreement_seconds = 100e-6;
    ranks.tires_after = 30;
    return ranks;
}

/// Times the host's own time that `calls` take, where the best tires after some in a row.
double over_host_if_the_best_tires(Ranks& ranks, int after, int calls) {
    ranks.tires = 2;
    ranks.tires_after = after;
    ranks.calls(calls);
    return ranks.spent / (calls * ranks.seconds[0]);
}

// Ranks that run ahead of each other, until there is no room. In turns with others it is fast
// again.
TEST(Selector, AWinnerThatTiresInARowIsGivenUp) {
    for (const int after : {100, 1000}) {
        for (const double scale : {1e-3, 1e-2, 1.0}) {
            Ranks ranks(2, four);
            for (const double seconds : {1e-4, 1.1e-4, 0.5e-4, 1.2e-4}) {
                ranks.seconds.push_back(seconds * scale);
            }
            // Trials of the shortest calls are of thousands.
            EXPECT_LE(over_host_if_the_best_tires(ranks, after, 1'000'000), scale < 1e-2 ? 4 : 2)
                << after << " calls, " << scale;
            ranks.spent = 0;
            EXPECT_LE(over_host_if_the_best_tires(ranks, after, 1'000'000), 1.1)
                << after << " calls, " << scale << ", later";
        }
    }
}

// Gathers of MPICH on 8 ranks of 2 cores: the first calls, in which all ranks had just had a core,
// took 1 us, and what the host takes in a row, 120 us by milliseconds once in many calls, was asked
// after 18,000 calls, and of four of them. Memory, which takes 10 us, had been cut by prediction.
TEST(Selector, AHostThatTiresWhereRanksShareCoresIsSoonFoundOut) {
    for (const int once_in : {1, 25}) {
        Ranks ranks = that_share_cores(1.2e-6, 10e-6);
        ranks.tires = 0;
        ranks.tired_once_in = once_in;
        while (ranks.selectors[0].phase() != Phase::running) ranks.call();
        ASSERT_EQ(ranks.selectors[0].current(), 0U);
        ASSERT_EQ(ranks.selectors[0].decision().candidates[1].fate, Fate::predicted);
        ranks.calls(4000);
        EXPECT_EQ(ranks.selectors[0].current(), 1U) << "tired once in " << once_in << " calls";
        ranks.calls(100'000);
        EXPECT_EQ(ranks.selectors[0].current(), 1U) << "tired once in " << once_in << " calls";
        const Decision kept = ranks.selectors[0].decision();
        EXPECT_LE(kept.relearnings, 3U);

        // The first calls of the next run take 1.2 us, too.
        Ranks later = that_share_cores(1.2e-6, 10e-6, &kept);
        later.tires = 0;
        later.tired_once_in = once_in;
        later.calls(20'000);
        EXPECT_EQ(later.selectors[0].current(), 1U) << "tired once in " << once_in << " calls";
        EXPECT_EQ(later.selectors[0].decision().relearnings, 0U);
    }
}

// Of two of which each is found out to tire, each would be chosen again after the other.
TEST(Selector, WhereRanksShareCoresTwoThatTireAreNotLearntAgainForEver) {
    Ranks ranks = that_share_cores(1.2e-6, 2.4e-6);
    ranks.all_tire = true;
    ranks.calls(200'000);
    const std::uint32_t relearnings = ranks.selectors[0].decision().relearnings;
    EXPECT_LE(relearnings, 15U);
    ranks.calls(1'000'000);
    EXPECT_LE(ranks.selectors[0].decision().relearnings, relearnings + 35)
        << "each after a row of 30,000 calls";
}

// One that does not tire pays for few rows more than it had.
TEST(Selector, RowsWhereRanksShareCoresAreFew) {
    Ranks ranks = that_share_cores(1.2e-6, 10e-6);
    Selector& selector = ranks.selectors[0];
    while (selector.phase() != Phase::running) ranks.call();
    ranks.selectors.pop_back();
    std::vector<int> rows;
    for (int row = 0; row < 4; ++row) {
        rows.push_back(calls_to_agreement(selector, ranks.seconds, ranks.agreement_seconds));
    }
    EXPECT_EQ(rows[0], 512);
    EXPECT_EQ(rows[1], 4096);
    EXPECT_GT(rows[2], 4096 * 4);
    EXPECT_GT(rows[3], 10'000) << "the reference";
    EXPECT_EQ(selector.current(), 0U);
}

}  // namespace
}  // namespace tasuki
