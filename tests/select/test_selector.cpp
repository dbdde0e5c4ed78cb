#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <stdexcept>

#include "select/ranks.hpp"
#include "select/selector.hpp"

namespace tasuki {
namespace {

using test::four;
using test::Ranks;

TEST(Selector, TheHostRunsUntilTheRanksHaveAgreed) {
    Ranks ranks(3, four);
    ranks.seconds = {1e-4, 1e-4, 8e-5, 1e-4};
    EXPECT_EQ(ranks.selectors[0].phase(), Phase::starting);
    while (ranks.selectors[0].phase() == Phase::starting) EXPECT_EQ(ranks.call(), 0U);
}

TEST(Selector, PredictedBestIsTriedFirst) {
    Ranks ranks(2, four);
    ranks.seconds = {1e-4, 1e-4, 8e-5, 1e-4};
    while (ranks.call() == 0) {
    }
    EXPECT_EQ(ranks.selectors[0].next().candidate, 2U);
}

TEST(Selector, FindsTheBestWhateverItIs) {
    for (std::uint32_t best = 0; best < four.size(); ++best) {
        Ranks ranks(4, four);
        ranks.seconds = {1e-4, 1.05e-4, 1.1e-4, 1.2e-4};
        ranks.seconds[best] = 0.9e-4;
        ranks.calls(2000);
        EXPECT_EQ(ranks.selectors[0].phase(), Phase::running);
        EXPECT_EQ(ranks.selectors[0].current(), best);
        EXPECT_EQ(ranks.selectors[3].decision().winner, four[best].name);
    }
}

TEST(Selector, NoCandidateButTheHostCostsNothing) {
    Ranks ranks(2, {{"native", unknown}});
    ranks.seconds = {1e-4};
    ranks.calls(10);
    for (int i = 0; i < 100000; ++i) {
        const CallPlan plan = ranks.selectors[0].next();
        ASSERT_FALSE(plan.timed || plan.agree || plan.candidate != 0);
    }
    EXPECT_THROW(Selector(std::vector<Candidate>{}, {}), std::invalid_argument);
}

TEST(Selector, AHopelessCandidateRunsTwice) {
    Ranks ranks(2, four);
    ranks.seconds = {1e-4, 1e-4, 8e-3, 1.1e-4};
    int bruck = 0;
    for (int i = 0; i < 1000; ++i) bruck += ranks.call() == 2 ? 1 : 0;
    EXPECT_EQ(bruck, 2);
    EXPECT_EQ(ranks.selectors[0].decision().find("bruck")->fate, Fate::hopeless);
}

TEST(Selector, TellsOfAHostThatIsHopeless) {
    for (const double host : {1e-4, 3e-4, 50e-3}) {
        Ranks ranks(2, four);
        ranks.seconds = {host, 1e-4, 0.9e-4, 1e-4};
        ranks.calls(Selector::first_calls);
        EXPECT_TRUE(std::isnan(ranks.selectors[0].seconds_of_hopeless_host()));
        ranks.calls(1000);
        const double told = ranks.selectors[0].seconds_of_hopeless_host();
        EXPECT_EQ(std::isnan(told), host < 1e-3);
        if (host > 1e-3) {
            EXPECT_NEAR(told, host, 0.2 * host);
        }
    }
}

TEST(Selector, LearningKeepsToItsBudget) {
    // All candidates are worse than the host: all that they cost is loss.
    std::vector<Candidate> many = {{"native", unknown}};
    for (char name = 'a'; name < 'u'; ++name) many.push_back({std::string(1, name), 1e-4});
    for (const int calls : {200, 2000, 20000}) {
        Ranks ranks(2, many);
        ranks.seconds.assign(many.size(), 1.4e-4);
        ranks.seconds[0] = 1e-4;
        ranks.calls(calls);
        const SelectionSettings settings;
        const double allowed =
            (settings.budget_floor_calls + 2 + settings.budget * calls) * ranks.seconds[0];
        EXPECT_LT(ranks.spent - calls * ranks.seconds[0], allowed) << calls;
    }
}

TEST(Selector, RanksThatWereToldDifferentThingsStandAside) {
    Ranks ranks(2, four);
    ranks.seconds = {1e-4, 1e-4, 8e-5, 1e-4};
    std::vector<Candidate> other = four;
    other[1].predicted = 111e-6;
    ranks.selectors.emplace_back(other, SelectionSettings{});
    for (int i = 0; i < 5000; ++i) EXPECT_EQ(ranks.call(), 0U);
    EXPECT_EQ(ranks.selectors[0].phase(), Phase::aside);
    EXPECT_EQ(ranks.selectors[2].phase(), Phase::aside);
}

TEST(Selector, WhereRanksCouldNotAgreeTheHostsOwnRunsOn) {
    Selector selector(four, SelectionSettings{});
    CallPlan plan;
    do {
        plan = selector.next();
    } while (!plan.agree);
    selector.stand_aside();
    EXPECT_EQ(selector.phase(), Phase::aside);
    for (int i = 0; i < 5000; ++i) {
        plan = selector.next();
        EXPECT_EQ(plan.candidate, 0U);
        EXPECT_FALSE(plan.timed || plan.agree);
    }
}

TEST(Selector, RanksWithDifferentDecisionsOfAnEarlierRunStandAside) {
    Decision known;
    known.winner = "ring";
    known.candidates = {{"native", unknown, 2e-4, 9, Fate::slower},
                        {"ring", unknown, 1e-4, 9, Fate::winner}};
    Ranks ranks(2, four);
    ranks.seconds = {1e-4, 1e-4, 8e-5, 1e-4};
    ranks.selectors.emplace_back(four, SelectionSettings{}, &known);
    ranks.calls(100);
    EXPECT_EQ(ranks.selectors[0].phase(), Phase::aside);
}

TEST(Selector, ASlowRankNowAndThenChangesNothing) {
    Ranks ranks(4, four);
    ranks.seconds = {1e-4, 1.1e-4, 0.8e-4, 1.0e-4};
    ranks.slow_rank_chance = 0.005;
    ranks.calls(100000);
    EXPECT_EQ(ranks.selectors[0].current(), 2U);
    EXPECT_EQ(ranks.selectors[0].decision().relearnings, 0U);
}

// A sample of short calls is of a dozen, of which often one has a slow rank.
TEST(Selector, ASlowRankNowAndThenChangesNothingWhereCallsAreShort) {
    for (unsigned seed = 0; seed < 40; ++seed) {
        Ranks ranks(2, four);
        ranks.random.seed(seed);
        ranks.seconds = {0.5e-6, 0.6e-6, 0.25e-6, 0.4e-6};
        ranks.slow_rank_chance = 0.01;
        ranks.calls(4000);
        EXPECT_EQ(ranks.selectors[0].current(), 2U) << "seed " << seed;
    }
}

TEST(Selector, ACandidateThatDoesNotRunIsGivenUp) {
    Ranks ranks(2, four);
    ranks.seconds = {1e-4, 1.1e-4, 0.8e-4, 0.95e-4};
    ranks.refuses = 2;
    ranks.calls(3000);
    EXPECT_EQ(ranks.selectors[0].current(), 3U);
    EXPECT_EQ(ranks.selectors[0].decision().find("bruck")->fate, Fate::failed);
    ranks.refuses = 3;  // in the middle of the run
    ranks.calls(3000);
    EXPECT_EQ(ranks.selectors[0].current(), 0U);
}

TEST(Selector, StartsWithWhatAnEarlierRunHasLearnt) {
    Ranks cold(2, four);
    cold.seconds = {1e-4, 1.1e-4, 0.8e-4, 0.95e-4};
    cold.calls(3000);
    const Decision known = cold.selectors[0].decision();

    Ranks warm(2, four, {}, &known);
    warm.seconds = cold.seconds;
    int other = 0;
    for (int i = 0; i < 1000; ++i) other += warm.call() != 2 ? 1 : 0;
    EXPECT_LE(other, 8);
    EXPECT_EQ(warm.selectors[0].decision().relearnings, 0U);

    Ranks changed(2, four, {}, &known);  // the decision is no longer right
    changed.seconds = {1e-4, 1.1e-4, 1.6e-4, 0.8e-4};
    changed.calls(1000);
    EXPECT_EQ(changed.selectors[0].current(), 3U);
}

/// A run of 3000 calls, then some of `calls`, each with the decision of the one before, of which
/// the first calls are slow: what is kept stays as it is, and so does what a run is told to have
/// saved.
void expect_first_calls_change_nothing(const SelectionSettings& settings, double host, int calls) {
    constexpr int first_calls = 8;
    const std::vector<double> seconds = {host, 75e-6, 50e-6, 60e-6};
    const double saved = calls * std::max(0.0, host - seconds[2]);
    Decision known;
    for (const double slowness : {1.0, 3.0, 8.0, 2.0, 20.0, 5.0, 1.0}) {
        const bool is_cold = known.calls == 0;
        Ranks ranks(2, four, settings, is_cold ? nullptr : &known);
        ranks.seconds = seconds;
        ranks.cold_calls = first_calls;
        ranks.cold_factor = slowness;
        ranks.calls(first_calls);
        ranks.cold_factor = 1;
        ranks.calls(is_cold ? 3000 : calls);
        known = ranks.selectors[0].decision();
        EXPECT_EQ(known.winner, host < seconds[2] ? "native" : "bruck");
        EXPECT_NEAR(known.find("native")->measured, host, 0.3 * host) << slowness;
        // What is hopeless beside the host's own was not looked at.
        if (const double bruck = known.find("bruck")->measured; !std::isnan(bruck)) {
            EXPECT_NEAR(bruck, seconds[2], 0.3 * seconds[2]) << slowness;
        }
        if (is_cold) continue;
        EXPECT_NEAR(known.saved_seconds, saved, 0.5 * saved + 1e-3) << slowness;
    }
}

// The first calls of a run connect the ranks, and in a program wait for those that come late: each
// run took all that was kept for so much slower, and kept that, until the host's own was never
// tried again and the report told of savings many times as long as the run.
TEST(Selector, WhatIsKeptDoesNotGrowFromRunToRunByFirstCalls) {
    for (const SelectionSettings& settings :
         {SelectionSettings{}, SelectionSettings::where_ranks_share_cores()}) {
        for (const int calls : {3000, 60}) {  // the latter end before the winner has a reference
            expect_first_calls_change_nothing(settings, 70e-6, calls);
            expect_first_calls_change_nothing(settings, 40e-6, calls);
        }
    }
}

// As after a run without memory, or with an older table. A probe would find it after thousands of
// calls.
TEST(Selector, LooksAtOnceAtWhatAnEarlierRunDidNotKnow) {
    Ranks cold(2, {{"native", unknown}, {"spread", 110e-6}, {"ring", 100e-6}});
    cold.seconds = {1e-4, 1.1e-4, 0.9e-4};
    cold.calls(3000);
    const Decision known = cold.selectors[0].decision();
    ASSERT_EQ(known.winner, "ring");

    Ranks warm(2, four, {}, &known);
    warm.seconds = {1e-4, 1.1e-4, 0.7e-4, 0.9e-4};
    warm.calls(200);
    EXPECT_EQ(warm.selectors[0].current(), 2U);
    EXPECT_EQ(warm.selectors[0].decision().relearnings, 0U);

    Ranks worse(2, four, {}, &known);
    worse.seconds = {1e-4, 1.1e-4, 2e-4, 0.9e-4};
    int others = 0;
    for (int i = 0; i < 500; ++i) {
        others += worse.call() != 3 ? 1 : 0;
        EXPECT_TRUE(i < 4 || worse.selectors[0].has_chosen());
    }
    EXPECT_LE(others, 4 + 4) << "the host's own, and two looks of two calls";
    EXPECT_EQ(worse.selectors[0].current(), 3U);
}

TEST(Selector, WithWhatIsKnownDoesNotWaitForAWarmHost) {
    Ranks cold(2, four);
    cold.seconds = {1e-6, 1.1e-6, 0.8e-6, 0.95e-6};
    cold.calls(300000);
    const Decision known = cold.selectors[0].decision();
    ASSERT_EQ(cold.selectors[0].current(), 2U);

    Ranks warm(2, four, {}, &known);
    warm.seconds = cold.seconds;
    int other = 0;
    for (int i = 0; i < 1000; ++i) other += warm.call() != 2 ? 1 : 0;
    EXPECT_LE(other, 8);
}

TEST(Selector, WaitsForAWarmHostUnlessOthersPromiseMuch) {
    const auto calls_before_others = [](double predicted) {
        std::vector<Candidate> two = {{"native", unknown}, {"spread", predicted}};
        Ranks ranks(2, two);
        ranks.seconds = {1e-6, 0.3e-6};
        int calls = 0;
        while (ranks.call() == 0) ++calls;
        return calls;
    };
    EXPECT_LE(calls_before_others(0.3e-6), static_cast<int>(Selector::first_calls));
    EXPECT_GE(calls_before_others(0.7e-6), 32 + static_cast<int>(Selector::first_calls));
}

TEST(Selector, TellsWhyInItsDecision) {
    std::vector<Candidate> five = four;
    five.push_back({"pairwise-barrier", 10e-3});
    Ranks ranks(2, five);
    ranks.seconds = {1e-4, 1.1e-4, 0.8e-4, 0.95e-4, 10e-3};
    ranks.calls(5000);
    const Decision decision = ranks.selectors[0].decision();
    EXPECT_EQ(decision.winner, "bruck");
    EXPECT_EQ(decision.find("pairwise-barrier")->fate, Fate::predicted);
    EXPECT_EQ(decision.find("native")->fate, Fate::slower);
    EXPECT_NEAR(decision.margin, 0.19, 0.05);
    EXPECT_GT(decision.saved_seconds, 4000 * 0.15e-4);
    EXPECT_GT(decision.break_even_calls(), 0);
    EXPECT_LT(decision.break_even_calls(), 200);
}

TEST(Selector, DoesNotClaimToHaveSavedWhatAFewSlowSamplesPromised) {
    Ranks ranks(2, four);
    ranks.seconds = {20e-4, 1.1e-4, 0.8e-4, 0.95e-4};
    ranks.calls(300);
    ranks.seconds[0] = 1e-4;
    ranks.calls(30000);
    const double saved = ranks.selectors[0].decision().saved_seconds;
    EXPECT_GT(saved, 0);
    EXPECT_LT(saved, 30000 * 0.3e-4);
}

/// What a call takes in the end with an algorithm that is the fastest once three calls of it have
/// gone before.
double seconds_a_call_where_settling_takes_time(const SelectionSettings& settings) {
    Ranks ranks(2, {{"native"}, {"steady"}, {"quick"}}, settings);
    const std::vector<double> usual = {20e-6, 18e-6, 10e-6};
    ranks.noise = std::lognormal_distribution<double>(0, 0.2);
    int quick_in_a_row = 0;
    double last_part = 0;
    for (int call = 0; call < 40000; ++call) {
        ranks.seconds = usual;
        if (quick_in_a_row < 3) ranks.seconds[2] *= 5;
        const double before = ranks.spent;
        quick_in_a_row = ranks.call() == 2 ? quick_in_a_row + 1 : 0;
        if (call >= 30000) last_part += ranks.spent - before;
    }
    return last_part / 10000;
}

TEST(Selector, WhereRanksShareCoresAShortLookDoesNotDecide) {
    EXPECT_LT(
        seconds_a_call_where_settling_takes_time(SelectionSettings::where_ranks_share_cores()),
        11e-6);
    EXPECT_GT(seconds_a_call_where_settling_takes_time({}), 15e-6);
}

// As the root of a broadcast waits in an agreement until the others have caught up.
TEST(Selector, RanksThatRunAheadDoNotMakeLearningDear) {
    Ranks ranks(3, four);
    ranks.seconds = {1e-4, 1e-4, 8e-5, 1e-4};
    ranks.early_rank_waits = 1000;
    ranks.calls(2000);
    EXPECT_EQ(ranks.selectors[0].current(), 2U);
    EXPECT_LT(ranks.selectors[0].decision().learning_seconds, 10e-3);
}

/// Ten calls make a sample of the fast one. As many of the host's own would cost more than that.
TEST(Selector, SamplesOfSlowerCandidatesAreOfFewerCalls) {
    Ranks ranks(1, {{"native", unknown}, {"fast", 0.4e-6}});
    ranks.seconds = {1.5e-6, 0.4e-6};
    int calls_of_host = 0;
    for (int i = 0; i < 500; ++i) calls_of_host += ranks.call() == 0 ? 1 : 0;
    EXPECT_EQ(ranks.selectors[0].current(), 1U);
    EXPECT_EQ(calls_of_host, static_cast<int>(Selector::first_calls) + 2)
        << "the first, then two samples of half of 4 us, to see that it is hopeless";
}

TEST(Selector, ASecondLookIsAsShortAsTheFirstHasShownItMayBe) {
    Ranks ranks(1, {{"native", unknown}, {"fast", 0.4e-6}, {"hopeless", 0.5e-6}});
    ranks.seconds = {3e-6, 0.4e-6, 4e-6};
    int calls_of_hopeless = 0;
    for (int i = 0; i < 500; ++i) calls_of_hopeless += ranks.call() == 2 ? 1 : 0;
    EXPECT_EQ(calls_of_hopeless, 2 + 2) << "not two samples of eight calls, as predicted";
}

TEST(Selector, SamplesOfShortCallsAreOfMany) {
    Ranks ranks(2, {{"native", unknown}, {"slow", 4e-7}, {"fast", 2e-7}});
    ranks.seconds = {4e-7, 4e-7, 2e-7};
    std::uint32_t calls_of_slow = 0;
    for (int i = 0; i < 500000; ++i) calls_of_slow += ranks.call() == 1 ? 1 : 0;
    EXPECT_EQ(ranks.selectors[0].current(), 2U);
    const std::uint32_t samples = ranks.selectors[0].decision().find("slow")->samples;
    EXPECT_GE(samples, 2U);
    EXPECT_GE(calls_of_slow, 2 * samples);
}

TEST(Selector, ACandidateThatFailsInOneCallOfASampleIsGivenUp) {
    Selector selector({{"native", unknown}, {"fast", 1e-6}}, {});
    int calls_of_fast = 0;
    for (int i = 0; i < 20000; ++i) {
        const CallPlan plan = selector.next();
        const bool fails = plan.candidate == 1 && ++calls_of_fast == 3;
        if (plan.timed && !fails) selector.sample(plan.candidate == 1 ? 0.5e-6 : 1e-6);
        if (plan.agree) selector.agreed();
    }
    EXPECT_EQ(selector.current(), 0U);
    EXPECT_EQ(selector.decision().find("fast")->fate, Fate::failed);
}

// What carries it has to be set up first.
TEST(Selector, WhatWasExpectedToBeFastIsLookedAtAgain) {
    Ranks ranks(2, {{"native", unknown}, {"slow", 9e-5}, {"slower", 9.1e-5}, {"fast", 9.2e-5}});
    ranks.seconds = {1e-4, 0.9e-4, 0.92e-4, 1e-3};
    int calls_of_fast = 0;
    for (int i = 0; i < 3000; ++i) {
        if (ranks.call() == 3 && ++calls_of_fast == 2) ranks.seconds[3] = 4e-5;
    }
    EXPECT_EQ(ranks.selectors[0].current(), 3U);
}

}  // namespace
}  // namespace tasuki
