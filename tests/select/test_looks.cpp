// Which candidates are looked at first, how long, and who waits for the budget.
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "select/ranks.hpp"
#include "select/selector.hpp"

namespace tasuki {
namespace {

using test::Ranks;

// 1 % of 2,000 calls of 100 ns is 2 us, and a program's set-up takes longer.
TEST(Looks, WhatIsNotExpectedToWinWaitsUntilItsSetUpIsPaidFor) {
    Ranks ranks(2, {{"native", unknown}, {"fast", 0.17e-6}, {"other", 0.25e-6}});
    ranks.seconds = {0.45e-6, 0.1e-6, 0.25e-6};
    int calls_of_other = 0;
    for (int i = 0; i < 2000; ++i) calls_of_other += ranks.call() == 2 ? 1 : 0;
    EXPECT_EQ(calls_of_other, 0);
    EXPECT_EQ(ranks.selectors[0].current(), 1U);
    EXPECT_TRUE(ranks.selectors[0].has_chosen()) << "it is kept if the run ends here";
    EXPECT_EQ(ranks.selectors[0].decision().find("native")->fate, Fate::hopeless);
    for (int i = 0; i < 500000; ++i) calls_of_other += ranks.call() == 2 ? 1 : 0;
    EXPECT_GT(calls_of_other, 0);
}

TEST(Looks, WhatIsFasterThanExpectedIsFoundAfterItsSetUpIsPaidFor) {
    Ranks ranks(2, {{"native", unknown}, {"fast", 0.17e-6}, {"faster", 0.2e-6}});
    ranks.seconds = {0.45e-6, 0.17e-6, 0.1e-6};
    ranks.calls(100000);
    EXPECT_EQ(ranks.selectors[0].current(), 2U);
}

TEST(Looks, TheFirstThatPromisesAGainDoesNotWaitForDearAgreements) {
    Ranks ranks(2, {{"native", unknown}, {"fast", 0.4e-6}});
    ranks.seconds = {1e-6, 0.4e-6};
    ranks.agreement_seconds = 50e-6;
    int calls_of_host = 0;
    while (ranks.call() == 0) ++calls_of_host;
    EXPECT_EQ(calls_of_host, static_cast<int>(Selector::first_calls));
}

/// Expected to be slower than the host's own, if predictions are right.
Ranks ranks_that_wait_for_the_budget(bool one_is_by_host) {
    Ranks ranks(2,
                {{"native", unknown},
                 {"spread", 100e-6, one_is_by_host},
                 {"spread:carrier=memory", 85e-6, false}},
                SelectionSettings::where_ranks_share_cores());
    ranks.seconds = {55e-6, 54e-6, 40e-6};
    return ranks;
}

// It is one of the rows, or as good: that the best of them is predicted to take twice as long says
// that all take less than predicted.
TEST(Looks, TheHostsOwnTellsHowFarPredictionsMayBeOff) {
    const auto calls_before_others = [](bool one_is_by_host) {
        Ranks ranks = ranks_that_wait_for_the_budget(one_is_by_host);
        int calls = 0;
        while (ranks.call() == 0) ++calls;
        return calls;
    };
    EXPECT_EQ(calls_before_others(true), static_cast<int>(Selector::first_calls));
    EXPECT_GT(calls_before_others(false), 40) << "they wait until the budget can pay for them";
}

// A later run that began with it would look at nothing.
TEST(Looks, ThatTheHostsOwnRunsWhileOthersWaitIsNoChoice) {
    Ranks ranks = ranks_that_wait_for_the_budget(false);
    ranks.calls(40);
    EXPECT_EQ(ranks.selectors[0].phase(), Phase::learning);
    EXPECT_FALSE(ranks.selectors[0].has_chosen());
    ranks.calls(20000);
    EXPECT_TRUE(ranks.selectors[0].has_chosen());
    EXPECT_EQ(ranks.selectors[0].current(), 2U);
}

// As many calls as of the host's own, which is not warm yet, would time the change of algorithm.
TEST(Looks, BesideAColdHostAPromiseHasSamplesAsLongAsItIsExpectedToNeed) {
    Ranks ranks(2, {{"native", unknown}, {"fast", 0.4e-6}});
    ranks.seconds = {1.2e-6, 0.4e-6};
    ranks.calls(Selector::first_calls);
    int calls_of_fast = 0;
    while (ranks.call() == 1) ++calls_of_fast;
    EXPECT_EQ(calls_of_fast, 2 * 10) << "two samples of 4 us";
}

TEST(Looks, OneUnluckyCandidateDoesNotStrikeOutTheOthers) {
    Ranks ranks(2, {{"native", unknown}, {"unlucky", 100e-6}, {"best", 180e-6}});
    ranks.seconds = {130e-6, 250e-6, 100e-6};
    ranks.calls(2000);
    EXPECT_EQ(ranks.selectors[0].current(), 2U);
}

// Some calls have no host's own, in modes of reproducibility: memory that one of our own rows is
// carried by is got in its first calls.
TEST(Looks, WhatStandsInForTheHostIsLookedAtOnceMoreWhenMemoryIsThere) {
    Ranks ranks(2,
                {{"straight:carrier=memory", 12e-6, false},
                 {"doubling:carrier=memory", 18e-6, false},
                 {"doubling", 40e-6}},
                SelectionSettings::where_ranks_share_cores());
    ranks.seconds = {90e-6, 18e-6, 20e-3};
    ranks.calls(Selector::first_calls);
    ranks.seconds[0] = 10e-6;
    int calls_of_slow = 0;
    for (int i = 0; i < 500; ++i) calls_of_slow += ranks.call() == 2 ? 1 : 0;
    EXPECT_EQ(ranks.selectors[0].current(), 0U);
    EXPECT_EQ(calls_of_slow, 0) << "it waits until the budget can pay for it";
}

TEST(Looks, OneThatMemoryCarriesDoesNotWaitUntilTheHostIsWarm) {
    Ranks ranks(2, {{"native", unknown}, {"row", 0.28e-6}, {"row:carrier=memory", 0.25e-6, false}});
    ranks.seconds = {0.3e-6, 0.3e-6, 0.2e-6};
    ranks.calls(Selector::first_calls);
    EXPECT_EQ(ranks.call(), 2U);
}

TEST(Looks, WhatMemoryTakesSaysNothingOfMessagesOfTheHost) {
    Ranks ranks(2, {{"native", unknown}, {"row", 0.28e-6}, {"row:carrier=memory", 0.24e-6, false}});
    ranks.seconds = {0.41e-6, 0.32e-6, 0.09e-6};
    int calls_of_row = 0;
    for (int i = 0; i < 2000; ++i) calls_of_row += ranks.call() == 1 ? 1 : 0;
    EXPECT_EQ(ranks.selectors[0].current(), 2U);
    EXPECT_EQ(calls_of_row, 0) << "it would have to be more than twice as fast as the host's own";
}

/// All-to-alls of 64 B on 8 ranks that share 2 cores; memory's three rounds are not the best.
Ranks ranks_with_rounds_of_memory(double seconds_of_host) {
    Ranks ranks(2,
                {{"native", unknown},
                 {"spread", 30e-6},
                 {"spread:carrier=memory", 10.4e-6, false},
                 {"doubling:carrier=memory", 18.1e-6, false}},
                SelectionSettings::where_ranks_share_cores());
    ranks.seconds = {seconds_of_host, 30e-6, 9.5e-6, 18e-6};
    return ranks;
}

/// Of each candidate.
std::vector<int> counted_calls(Ranks& ranks, int calls) {
    std::vector<int> counts(ranks.seconds.size());
    for (int i = 0; i < calls; ++i) ++counts[ranks.call()];
    return counts;
}

TEST(Looks, WhereRanksShareCoresOneOfACarrierTellsThatOthersOfItAreSlow) {
    Ranks ranks = ranks_with_rounds_of_memory(45e-6);
    const std::vector<int> calls = counted_calls(ranks, 400);
    EXPECT_GT(calls[2], 350);
    EXPECT_EQ(calls[3], 0) << "predicted to take 1.74 times as long";
}

// That memory was predicted to take more than the host's own says nothing: nobody has tried it.
TEST(Looks, WhereRanksShareCoresTheHostsOwnDoesNotTellThatMemoryIsSlow) {
    Ranks ranks(2, {{"native", unknown}, {"spread:carrier=memory", 18e-6, false}},
                SelectionSettings::where_ranks_share_cores());
    ranks.seconds = {10.4e-6, 6e-6};
    ranks.calls(2000);
    EXPECT_EQ(ranks.selectors[0].current(), 1U);
}

// The first of all that memory carries pays for the memory, and has a second look. By what it took
// in the first one it would be cut.
TEST(Looks, WhereRanksShareCoresAColdLookAtMemoryDoesNotCutIt) {
    Ranks ranks(2, {{"native", unknown}, {"spread:carrier=memory", 18e-6, false}},
                SelectionSettings::where_ranks_share_cores());
    ranks.seconds = {10.4e-6, 40e-6};
    while (ranks.call() == 0) continue;
    while (ranks.call() == 1) continue;
    ranks.seconds[1] = 6e-6;
    ranks.calls(2000);
    EXPECT_EQ(ranks.selectors[0].current(), 1U);
}

TEST(Looks, WhereRanksShareCoresOneThatFailedTellsNothingOfOthersOfItsCarrier) {
    Ranks ranks(2,
                {{"native", unknown},
                 {"spread", 10e-6},
                 {"ring:carrier=memory", 9e-6, false},
                 {"spread:carrier=memory", 18e-6, false}},
                SelectionSettings::where_ranks_share_cores());
    ranks.seconds = {10.4e-6, 10.4e-6, 6e-6, 6e-6};
    ranks.refuses = 2;
    ranks.calls(2000);
    EXPECT_EQ(ranks.selectors[0].current(), 3U);
}

TEST(Looks, WhereRanksShareCoresAHopelessHostIsLookedAtWithHalfTheCalls) {
    Ranks ranks = ranks_with_rounds_of_memory(30e-6);
    ranks.calls(Selector::first_calls);
    EXPECT_EQ(counted_calls(ranks, 400)[0], 2 * 2);
}

// Its first calls connect the ranks: a floor of as many would be most of what a short run spends.
TEST(Looks, AColdHostDoesNotRaiseWhatLearningMayCost) {
    const auto calls_beside = [](double seconds_of_host) {
        Ranks ranks(2,
                    {{"native", unknown},
                     {"spread:carrier=memory", 10.4e-6, false},
                     {"bruck:carrier=memory", 10.4e-6, false},
                     {"ring:carrier=memory", 13e-6, false}},
                    SelectionSettings::where_ranks_share_cores());
        ranks.seconds = {seconds_of_host, 9.5e-6, 9.6e-6, 18e-6};
        return counted_calls(ranks, 300);
    };
    for (const double host : {60e-6, 2e-3}) {
        EXPECT_EQ(calls_beside(host)[3], 2 * 4) << "no more than the look";
    }
}

Decision kept_by_earlier_run(const std::string& winner, std::vector<CandidateRecord> candidates) {
    Decision decision;
    decision.winner = winner;
    decision.calls = 2000;
    decision.candidates = std::move(candidates);
    return decision;
}

// A first look at the memory had met it cold, and the run had ended before they were compared.
TEST(Looks, WhatAnEarlierRunHadNoTimeToCompareIsLookedAtAgain) {
    const Decision known =
        kept_by_earlier_run("row", {{"native", unknown, 518e-9, 4, Fate::hopeless},
                                    {"row", 245e-9, 236e-9, 2, Fate::winner},
                                    {"row:carrier=memory", 160e-9, 259e-9, 2, Fate::waiting}});
    Ranks ranks(2, {{"native", unknown}, {"row", 245e-9}, {"row:carrier=memory", 160e-9, false}},
                {}, &known);
    ranks.seconds = {31e-6, 220e-9, 74e-9};  // its first calls connect the ranks
    ranks.calls(Selector::first_calls);
    ranks.seconds[0] = 518e-9;
    ranks.calls(2000);
    EXPECT_EQ(ranks.selectors[0].current(), 2U);
}

TEST(Looks, ALookAloneIsNoReasonToLeaveWhatWasKept) {
    const Decision known =
        kept_by_earlier_run("row", {{"native", unknown, 518e-9, 4, Fate::hopeless},
                                    {"row", 245e-9, 236e-9, 2, Fate::winner},
                                    {"other", 200e-9, 259e-9, 2, Fate::waiting}});
    Ranks ranks(2, {{"native", unknown}, {"row", 245e-9}, {"other", 200e-9}}, {}, &known);
    ranks.seconds = {518e-9, 236e-9, 170e-9};
    const Selector& selector = ranks.selectors[0];
    while (selector.phase() != Phase::running) ranks.call();
    EXPECT_GT(selector.decision().find("other")->samples, 0U);
    EXPECT_EQ(selector.current(), 1U) << "to compare them costs more than there is";
    ranks.calls(100'000);
    EXPECT_EQ(selector.current(), 2U);
}

// A winner that nobody watches may become slower unseen.
TEST(Looks, WhatCannotBePaidForAtOnceInALaterRunDoesNotKeepTheWinnerFromBeingWatched) {
    const Decision known =
        kept_by_earlier_run("fast", {{"native", unknown, 0.3e-6, 4, Fate::slower},
                                     {"fast", 0.1e-6, 0.1e-6, 8, Fate::winner},
                                     {"far", 0.18e-6, 2e-6, 2, Fate::waiting}});
    Ranks ranks(2, {{"native", unknown}, {"fast", 0.1e-6}, {"far", 0.18e-6}}, {}, &known);
    ranks.seconds = {0.3e-6, 0.1e-6, 0.2e-6};
    ranks.calls(Selector::first_calls);
    EXPECT_EQ(ranks.selectors[0].phase(), Phase::running);
    EXPECT_EQ(ranks.selectors[0].decision().find("far")->fate, Fate::waiting);
}

}  // namespace
}  // namespace tasuki
