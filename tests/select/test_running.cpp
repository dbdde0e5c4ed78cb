// The selector in its last phase: does it notice what changes, and what does that cost?
#include <gtest/gtest.h>

#include "select/ranks.hpp"
#include "select/selector.hpp"

namespace tasuki {
namespace {

using test::calls_to_agreement;
using test::four;
using test::Ranks;

TEST(Selector, WhenTheWinnerGetsWorseTheNextBestTakesOver) {
    Ranks ranks(2, four);
    ranks.seconds = {1e-4, 1.1e-4, 0.8e-4, 0.95e-4};
    ranks.calls(10000);
    ASSERT_EQ(ranks.selectors[0].current(), 2U);
    ranks.seconds[2] = 1.5e-4;
    ranks.calls(500);
    EXPECT_EQ(ranks.selectors[0].current(), 3U);
    EXPECT_EQ(ranks.selectors[0].decision().relearnings, 1U);
}

/// As with one root and then another: the two calls of a pattern take different times.
TEST(Selector, OfAPatternOfCallsAllAreTimed) {
    for (const int first : {0, 1}) {
        Ranks ranks(2, four);
        ranks.seconds = {60e-6, 110e-6, 10e-6, 70e-6};
        ranks.seconds_of_second = {40e-6, 90e-6, 48e-6, 45e-6};
        ranks.calls(first);
        ranks.calls(50000);
        const Selector& selector = ranks.selectors[0];
        ASSERT_EQ(selector.current(), 2U);
        EXPECT_EQ(selector.decision().relearnings, 0U);
        EXPECT_EQ(selector.decision().common_drifts, 0U);
        EXPECT_NEAR(selector.decision().candidates[2].measured, 29e-6, 4e-6);
        ranks.seconds[2] = 30e-6;
        ranks.seconds_of_second[2] = 160e-6;
        ranks.calls(1000);
        EXPECT_EQ(selector.current(), 0U);
    }
}

TEST(Selector, AWinnerStaysWhatWasChosenWhileOthersAreMeasuredAgain) {
    Ranks ranks(2, four);
    ranks.seconds = {1e-4, 1.1e-4, 0.8e-4, 0.95e-4};
    EXPECT_FALSE(ranks.selectors[0].has_chosen());
    ranks.calls(10000);
    ASSERT_EQ(ranks.selectors[0].decision().winner, "bruck");
    EXPECT_TRUE(ranks.selectors[0].has_chosen());
    ranks.seconds[2] = 1.5e-4;
    for (int i = 0; i < 500 && ranks.selectors[0].phase() != Phase::learning; ++i) ranks.call();
    ASSERT_EQ(ranks.selectors[0].phase(), Phase::learning);
    EXPECT_TRUE(ranks.selectors[0].has_chosen());
    EXPECT_EQ(ranks.selectors[0].decision().winner, "bruck");
}

TEST(Selector, AThirdCandidateComesUp) {
    Ranks ranks(2, four);
    ranks.seconds = {1e-4, 1.15e-4, 0.8e-4, 0.9e-4};
    ranks.calls(10000);
    ranks.seconds = {1.6e-4, 1.15e-4, 1.5e-4, 1.5e-4};
    ranks.calls(500);
    EXPECT_EQ(ranks.selectors[0].current(), 1U);
}

TEST(Selector, WhenEverythingGetsSlowerNothingIsLearntAgain) {
    Ranks ranks(2, four);
    ranks.seconds = {1e-4, 1.1e-4, 0.8e-4, 0.95e-4};
    ranks.calls(10000);
    for (double& seconds : ranks.seconds) seconds *= 2;
    ranks.calls(2000);
    EXPECT_EQ(ranks.selectors[0].current(), 2U);
    EXPECT_EQ(ranks.selectors[0].decision().relearnings, 0U);
    EXPECT_EQ(ranks.selectors[0].decision().common_drifts, 1U);
}

TEST(Selector, ACandidateThatBecomesFastIsFound) {
    Ranks ranks(2, four);
    ranks.seconds = {1e-4, 1.3e-4, 0.8e-4, 0.95e-4};
    ranks.calls(10000);
    ranks.seconds[1] = 0.4e-4;
    ranks.calls(20000);
    EXPECT_EQ(ranks.selectors[0].current(), 1U);
}

TEST(Selector, AgreementsGetRarer) {
    Ranks ranks(1, four);
    ranks.seconds = {1e-4, 1.1e-4, 0.8e-4, 0.95e-4};
    ranks.calls(20000);
    int agreements = 0;
    int timed = 0;
    Selector& selector = ranks.selectors[0];
    for (int i = 0; i < 9600; ++i) {
        const CallPlan plan = selector.next();
        timed += plan.timed ? 1 : 0;
        if (plan.timed) selector.sample(ranks.seconds[plan.candidate]);
        if (plan.agree) {
            selector.agreed();
            selector.agreement_took(1e-6);
        }
        agreements += plan.agree ? 1 : 0;
    }
    EXPECT_LE(agreements, 9600 / 96 + 10);
    EXPECT_LE(timed, 9600 / 6 + 200);
}

// 64 timed calls of 128 and an agreement were 2 to 3 % of what 2,000 calls of 0.1 us take.
TEST(Selector, TheReferenceOfShortCallsIsTakenSlowly) {
    Ranks ranks(1, four);
    ranks.seconds = {3e-7, 4e-7, 1e-7, 3e-7};
    Selector& selector = ranks.selectors[0];
    while (selector.phase() != Phase::running) ranks.call();
    ASSERT_EQ(selector.current(), 2U);
    ranks.calls(10'000);  // the trial
    int timed = 0;
    for (int i = 0; i < 1000; ++i) {
        const CallPlan plan = selector.next();
        timed += plan.timed ? 1 : 0;
        if (plan.timed) selector.sample(ranks.seconds[plan.candidate]);
        ASSERT_FALSE(plan.agree) << "at call " << i;
    }
    EXPECT_LE(timed, 6) << "timing 128 calls costs as much as 40,000 calls may pay for";
    EXPECT_GT(timed, 0);
}

// All that are learnt within 30 us are learnt cold, and then nothing looks at them for a second.
TEST(Selector, OfShortCallsAllThatAreNearAreComparedOnceMoreWhenTheyAreWarm) {
    Ranks ranks(2, four);
    ranks.seconds = {3e-7, 6e-7, 6e-7, 6e-7};
    while (ranks.selectors[0].phase() != Phase::running) ranks.call();
    ASSERT_EQ(ranks.selectors[0].current(), 0U);
    ranks.seconds = {3e-7, 4e-7, 2e-7, 4e-7};
    ranks.calls(10'000);
    EXPECT_EQ(ranks.selectors[0].current(), 2U);
    EXPECT_EQ(ranks.selectors[0].decision().relearnings, 0U) << "that was learning's second half";
    ranks.calls(200'000);
    EXPECT_EQ(ranks.selectors[0].current(), 2U);
    EXPECT_LE(ranks.selectors[0].learning_seconds(), 0.01 * ranks.spent);
}

// Windows of 96 calls of 3 ms, and references of 128, took a third of a second.
TEST(Selector, LongCallsAreWatchedInShorterWindows) {
    struct Case {
        double seconds;
        int in_trial;
        int in_window;
    };
    for (const Case& c : {Case{1e-4, 0, 96}, Case{2e-4, 50, 48}, Case{3e-3, 32, 32}}) {
        Ranks ranks(1, four);
        ranks.seconds = {2 * c.seconds, 3 * c.seconds, c.seconds, 3 * c.seconds};
        Selector& selector = ranks.selectors[0];
        while (selector.phase() != Phase::running) ranks.call();
        if (c.in_trial > 0) {
            EXPECT_NEAR(calls_to_agreement(selector, ranks.seconds), c.in_trial, 5) << c.seconds;
        }
        EXPECT_EQ(calls_to_agreement(selector, ranks.seconds), 128) << "the reference";
        ranks.calls(1000);
        calls_to_agreement(selector, ranks.seconds);
        const int calls = calls_to_agreement(selector, ranks.seconds);
        EXPECT_TRUE(calls == c.in_window || calls == c.in_window + 2) << calls << ", with a probe";
    }
}

// The host's first calls took six times what others did, and what they take later was asked after
// 16 windows of 12,000 calls.
TEST(Selector, AHostThatWasGivenUpColdIsTriedAgainSoon) {
    Ranks ranks(2, {{"native", unknown}, {"memory", 2e-7}});
    ranks.seconds = {13e-7, 2e-7};
    ranks.calls(Selector::first_calls);
    ranks.seconds[0] = 1.5e-7;
    while (ranks.selectors[0].phase() != Phase::running) ranks.call();
    ASSERT_EQ(ranks.selectors[0].current(), 1U);
    ASSERT_EQ(ranks.selectors[0].decision().candidates[0].fate, Fate::hopeless);
    int calls = 0;
    for (; ranks.selectors[0].current() != 0 && calls < 1'000'000; ++calls) ranks.call();
    EXPECT_LE(calls, 100'000);
    EXPECT_LE(ranks.selectors[0].learning_seconds(), 0.015 * ranks.spent);
}

// Two calls after 10,000 of another took ten times what they take in a loop.
TEST(Selector, AProbeOfShortCallsIsLongEnoughToBeWarm) {
    Ranks ranks(2, four);
    ranks.seconds = {3e-7, 6e-7, 2e-7, 6e-7};
    ranks.cold_calls = 4;
    ranks.cold_factor = 10;
    ranks.calls(400'000);
    ASSERT_EQ(ranks.selectors[0].current(), 2U);
    ranks.seconds[1] = 1e-7;
    ranks.calls(4'000'000);
    EXPECT_EQ(ranks.selectors[0].current(), 1U);
}

// It has become slower in the first of two calls, and was faster in the second all the time: among
// single calls it had as many of the fastest as of the slowest, and nothing could be proven.
TEST(Selector, AWinnerThatDisappointsInOneOfTwoCallsIsLeft) {
    Ranks ranks(2, four);
    ranks.seconds = {27e-6, 60e-6, 18e-6, 60e-6};
    ranks.seconds_of_second = {14e-6, 60e-6, 5e-6, 60e-6};
    while (ranks.selectors[0].phase() != Phase::running) ranks.call();
    ASSERT_EQ(ranks.selectors[0].current(), 2U);
    ranks.seconds[2] = 110e-6;
    ranks.seconds_of_second[2] = 12e-6;
    ranks.calls(1000);
    EXPECT_EQ(ranks.selectors[0].current(), 0U);
}

// Of a winner that disappointed while its reference was taken, and then did not, windows were of 16
// calls, all of them timed.
TEST(Selector, NoWindowIsShorterThanTheShortest) {
    Ranks ranks(1, four);
    ranks.noise = std::lognormal_distribution<double>(0, 1e-4);
    ranks.seconds = {1e-4, 1.1e-4, 8e-5, 9.5e-5};
    Selector& selector = ranks.selectors[0];
    while (selector.phase() != Phase::running) ranks.call();
    ASSERT_EQ(selector.current(), 2U);
    ranks.seconds[2] *= 1.5;
    ranks.calls(128);  // the reference
    ranks.seconds[2] /= 1.5;
    int since_agreement = 0;
    for (int i = 0; i < 400; ++i) {
        const CallPlan plan = selector.next();
        ++since_agreement;
        if (plan.timed) selector.sample(ranks.seconds[plan.candidate]);
        if (!plan.agree) continue;
        selector.agreed();
        EXPECT_GE(since_agreement, 32) << "at call " << i;
        since_agreement = 0;
    }
}

TEST(Selector, AReferenceOfABadMomentIsTakenAgain) {
    Ranks ranks(1, four);
    ranks.noise = std::lognormal_distribution<double>(0, 1e-4);
    ranks.seconds = {1e-4, 1.1e-4, 8e-5, 9.5e-5};
    while (ranks.selectors[0].phase() != Phase::running) ranks.call();
    ranks.seconds[2] *= 1.5;
    ranks.calls(128);
    ranks.seconds[2] /= 1.5;
    int others = 0;
    for (int i = 0; i < 20000; ++i) others += ranks.call() != 2 ? 1 : 0;
    EXPECT_LT(others, 100) << "one check, and probes";
}

TEST(Selector, DearAgreementsAreRarerStill) {
    Ranks ranks(1, four);
    ranks.seconds = {1e-6, 1.1e-6, 0.8e-6, 0.95e-6};  // an agreement costs more than a call
    ranks.calls(50000);
    int agreements = 0;
    for (int i = 0; i < 50000; ++i) {
        const CallPlan plan = ranks.selectors[0].next();
        if (plan.timed) ranks.selectors[0].sample(ranks.seconds[plan.candidate]);
        if (plan.agree) {
            ranks.selectors[0].agreed();
            ranks.selectors[0].agreement_took(1e-6);
            ++agreements;
        }
    }
    EXPECT_LE(agreements * 1e-6, 0.007 * 50000 * 0.8e-6);
}

/// The winner after so many runs of 2,000 calls that begin with what those before have kept, which
/// is wrong about the best.
std::string winner_after_short_runs(int runs, const SelectionSettings& settings) {
    const std::vector<Candidate> many = {{"native", unknown}, {"a", 30e-6}, {"b", 30e-6},
                                         {"c", 30e-6},        {"d", 30e-6}, {"best", 30e-6}};
    Decision known;
    known.winner = "a";
    known.calls = 2000;
    known.candidates = {
        {"native", unknown, 60e-6, 8, Fate::hopeless}, {"a", 30e-6, 10e-6, 64, Fate::winner},
        {"b", 30e-6, 12e-6, 8, Fate::slower},          {"c", 30e-6, 15e-6, 8, Fate::slower},
        {"d", 30e-6, 15e-6, 8, Fate::slower},          {"best", 30e-6, 32e-6, 8, Fate::slower}};
    for (int run = 0; run < runs; ++run) {
        Ranks ranks(2, many, settings, &known);
        ranks.seconds = {60e-6, 10e-6, 12e-6, 15e-6, 15e-6, 8e-6};
        ranks.calls(2000);
        const std::uint64_t calls = known.calls;
        const double learning_seconds = known.learning_seconds;
        known = ranks.selectors[0].decision();
        known.calls += calls;
        known.learning_seconds += learning_seconds;
    }
    return known.winner;
}

// Each run began its turns of probes anew, so that only the first ones had theirs.
TEST(Selector, ShortRunsComeToTryAllThatEarlierOnesHaveMismeasured) {
    EXPECT_EQ(winner_after_short_runs(60, {}), "best");
    EXPECT_EQ(winner_after_short_runs(60, SelectionSettings::where_ranks_share_cores()), "best");
}

}  // namespace
}  // namespace tasuki
