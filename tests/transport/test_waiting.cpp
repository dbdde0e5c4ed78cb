// What a wait does next, on a clock of the test's own.
#include <gtest/gtest.h>

#include "transport/memory/waiting.hpp"

namespace tasuki::memory {
namespace {

constexpr double micro = 1e-6;
constexpr double milli = 1e-3;
constexpr Cores two{.present = 2, .usable = 2};

/// Seconds that a wait of `length` spins, yields and sleeps, where a yield takes `yield`.
struct Spent {
    double spin = 0;
    double yield = 0;
    double sleep = 0;
};

/// One rank on its clock.
struct Rank {
    explicit Rank(double ranks, Cores cores = two) : waiting(ranks, cores) {}

    Spent wait(double length, double yield) {
        Spent spent;
        const double end = now + length;
        waiting.begin(now, usual);
        while (now < end) {
            const double before = now;
            switch (waiting.next(now)) {
                case Pause::spin:
                    now += micro;
                    spent.spin += now - before;
                    break;
                case Pause::yield:
                    now += yield;
                    waiting.note_yield(now, yield);
                    spent.yield += now - before;
                    break;
                case Pause::sleep:
                    now = end;
                    spent.sleep += now - before;
            }
        }
        waiting.end(now, usual);
        return spent;
    }
    bool has_stranger() const { return waiting.has_stranger(now); }

    Waiting waiting;
    double now = 1;
    float usual = 0;
};

TEST(Waiting, SpinsWhereTheCoreIsItsOwn) {
    Rank rank(2);
    const Spent spent = rank.wait(30 * micro, 0.4 * micro);
    EXPECT_DOUBLE_EQ(spent.yield + spent.sleep, 0);
}

TEST(Waiting, YieldsWherePeersShareTheCore) {
    Rank rank(8);
    const Spent spent = rank.wait(30 * micro, 5 * micro);
    EXPECT_LE(spent.spin, 2 * micro);
    EXPECT_DOUBLE_EQ(spent.sleep, 0);
}

TEST(Waiting, LearnsThatItIsCrowdedAndThatItIsNot) {
    Rank rank(2);
    rank.wait(300 * micro, 5 * micro);
    EXPECT_TRUE(rank.waiting.is_crowded());
    for (int i = 0; i < 100; ++i) rank.wait(10 * micro, 0.4 * micro);
    EXPECT_FALSE(rank.waiting.is_crowded());
}

// Two that yield make each other wait, so that neither would stop soon.
TEST(Waiting, AFewQuickYieldsTellThatTheCompanyHasGone) {
    Rank rank(2);
    rank.wait(300 * micro, 5 * micro);
    ASSERT_TRUE(rank.waiting.is_crowded());
    for (int call = 0; call < 8; ++call) rank.wait(0.5 * micro, 0.5 * micro);
    EXPECT_FALSE(rank.waiting.is_crowded());
}

TEST(Waiting, TakesNoInterruptForCompany) {
    Rank rank(2);
    for (int i = 0; i < 100; ++i) {
        for (int yield = 0; yield < 20; ++yield) rank.waiting.note_yield(rank.now, 0.5 * micro);
        rank.waiting.note_yield(rank.now, 2 * micro);
        EXPECT_FALSE(rank.waiting.is_crowded());
    }
}

TEST(Waiting, SleepsSoonWhereYieldsDoNotLetPeersRunThatShareTheCore) {
    Rank rank(8);
    for (int i = 0; i < 100; ++i) {
        const Spent spent = rank.wait(300 * micro, 0.4 * micro);
        EXPECT_LE(spent.spin + spent.yield, 10 * micro);
    }
}

TEST(Waiting, LearnsThatRanksBoundToACoreEachDoNotShareIt) {
    Rank rank(2, Cores{.present = 2, .usable = 1});
    EXPECT_TRUE(rank.waiting.is_crowded());
    for (int i = 0; i < 100; ++i) rank.wait(10 * micro, 0.4 * micro);
    EXPECT_FALSE(rank.waiting.is_crowded());
}

TEST(Waiting, SleepsInLongWaits) {
    for (const bool crowded : {false, true}) {
        Rank rank(crowded ? 8 : 2);
        const Spent spent = rank.wait(100 * milli, 0.4 * micro);
        EXPECT_LE(spent.spin + spent.yield, 1 * milli);
    }
}

// Four times as long as usual would be beyond what anybody stays awake.
TEST(Waiting, SleepsInALongWaitWhereUsualOnesAreHardlyShorter) {
    for (const double usual : {20 * micro, 130 * micro, 490 * micro}) {
        Rank rank(2);
        rank.usual = static_cast<float>(usual);
        const Spent spent = rank.wait(100 * milli, 0.4 * micro);
        EXPECT_LE(spent.spin + spent.yield, 0.51 * milli) << usual;
        EXPECT_GE(spent.spin + spent.yield, 0.49 * milli) << usual;
    }
}

TEST(Waiting, SleepsWhereAStrangerTookTheCore) {
    Rank rank(8);
    rank.wait(3.2 * milli, 3 * milli);
    EXPECT_TRUE(rank.has_stranger());
    while (rank.now < 1.09) rank.wait(50 * micro, 3 * milli);  // It stays.
    EXPECT_TRUE(rank.has_stranger());
    for (int i = 0; i < 100; ++i) {
        const Spent spent = rank.wait(50 * micro, 3 * milli);
        EXPECT_LE(spent.spin, 4 * micro);
        EXPECT_DOUBLE_EQ(spent.yield, 0);
    }
}

// Sleeping takes ten times as long as yielding where peers share cores: it must not stay.
TEST(Waiting, ForgetsAHiccupOfTheMachine) {
    Rank rank(8);
    rank.wait(3 * milli, 3 * milli);
    EXPECT_TRUE(rank.has_stranger());
    rank.now += 2.1 * milli;
    EXPECT_DOUBLE_EQ(rank.wait(50 * micro, 5 * micro).sleep, 0);
}

TEST(Waiting, KnowsAStrangerWhoIsMetOnceInALongWhile) {
    Rank rank(8);
    double lost = 0;
    while (rank.now < 11) {
        rank.now += 10 * milli;  // The program computes.
        lost += rank.wait(100 * micro, 3 * milli).yield;
    }
    EXPECT_LE(lost, 20 * 3 * milli);
}

TEST(Waiting, PeersWithMuchToDoAreNoStrangers) {
    Waiting waiting(2, two);
    waiting.begin(1, 0);
    EXPECT_TRUE(Waiting::is_long(2 * milli));
    waiting.note_busy_peers(1 + 2 * milli);
    EXPECT_FALSE(waiting.has_stranger(1 + 2 * milli));
    EXPECT_TRUE(waiting.is_crowded());
    EXPECT_EQ(waiting.next(1 + 2 * milli), memory::Pause::sleep) << "the wait is a long one";
    EXPECT_FALSE(waiting.has_stranger(1 + 2 * milli));
}

// Ranks that wait busily in a host's collective had each a core for 3 ms, as a stranger has. Who
// kept away from them for up to 2 s napped in each step, and those who waited for it then, too: an
// all-to-all of 512 B on 8 ranks of Intel MPI and 2 cores took 600 us in place of 16, for seconds.
TEST(Waiting, WhereRanksShareCoresABusyPeerIsNoStranger) {
    Rank rank(1);
    rank.waiting.take_strangers_for_peers();
    for (int i = 0; i < 10; ++i) rank.wait(3 * milli, 3 * milli);
    EXPECT_FALSE(rank.has_stranger());
    EXPECT_DOUBLE_EQ(rank.wait(50 * micro, 5 * micro).sleep, 0);
    EXPECT_GT(rank.wait(100 * milli, 5 * micro).sleep, 99 * milli) << "a long wait is left, too";
}

// A yield returns at once to who has had less than its share, though the peer that it waits for is
// on the same core. Who took that for being alone spun for half a millisecond: an all-gather of 8 B
// on 4 ranks of MPICH and 2 cores took 480 us a call in place of 9.
TEST(Waiting, WhereRanksShareCoresQuickYieldsDoNotTellOfFreeOnes) {
    Rank rank(1);
    rank.waiting.take_strangers_for_peers();
    for (int i = 0; i < 1000; ++i) EXPECT_DOUBLE_EQ(rank.wait(200 * micro, 0.4 * micro).spin, 0);
    EXPECT_TRUE(rank.waiting.is_crowded());
}

// It asks again whether the stranger is there, ever more seldom while it is.
TEST(Waiting, ReturnsWhenTheStrangerHasGone) {
    Rank rank(8);
    double lost = 0;
    while (rank.now < 21) lost += rank.wait(100 * micro, 3 * milli).yield;
    EXPECT_LE(lost, 20 * 3 * milli);
    while (rank.now < 24) rank.wait(100 * micro, 5 * micro);
    EXPECT_FALSE(rank.has_stranger());
    EXPECT_DOUBLE_EQ(rank.wait(100 * micro, 5 * micro).sleep, 0);
}

TEST(Waiting, NoticesWhileSpinningThatItWasPutAside) {
    Waiting waiting(2, two);
    waiting.begin(1, 0);
    EXPECT_EQ(waiting.next(1), Pause::spin);
    EXPECT_EQ(waiting.next(1 + 4 * milli), Pause::sleep);
    EXPECT_TRUE(waiting.has_stranger(1 + 4 * milli));
}

// More ranks of the job may be on the node than cores, and most of them asleep.
TEST(Waiting, ManyShortWaitsWithoutCompanyLiftWhatWasCounted) {
    Rank rank(8);
    for (int i = 0; i < 300; ++i) rank.wait(2 * micro, 0.4 * micro);
    EXPECT_FALSE(rank.waiting.is_crowded());
    EXPECT_DOUBLE_EQ(rank.wait(30 * micro, 0.4 * micro).sleep, 0);
    // The others have come.
    rank.wait(300 * micro, 5 * micro);
    EXPECT_TRUE(rank.waiting.is_crowded());
    const Spent spent = rank.wait(300 * micro, 0.4 * micro);
    EXPECT_LE(spent.spin + spent.yield, 10 * micro);
}

TEST(Waiting, CompanyNowAndThenKeepsWhatWasCounted) {
    Rank rank(8);
    for (int i = 0; i < 2000; ++i) {
        rank.wait(2 * micro, 0.4 * micro);
        if (i % 100 == 0) rank.wait(10 * micro, 5 * micro);
        if (i % 100 == 50) rank.wait(300 * micro, 0.4 * micro);  // in vain
    }
    const Spent spent = rank.wait(300 * micro, 0.4 * micro);
    EXPECT_LE(spent.spin + spent.yield, 10 * micro);
}

// Where a system call costs more, so does a yield that finds nobody.
TEST(Waiting, TakesADearYieldForNoCompany) {
    constexpr double dear = 3 * micro;
    const auto is_crowded_with = [&](double quick_yield) {
        Waiting waiting(2, two, quick_yield);
        for (int yield = 0; yield < 100; ++yield) waiting.note_yield(1, dear);
        return waiting.is_crowded();
    };
    EXPECT_TRUE(is_crowded_with(usual_quick_yield));
    EXPECT_FALSE(is_crowded_with(quick_yield_of(dear, 2 * micro)));
}

TEST(Waiting, WhatAQuickYieldTakesFollowsTheQuickest) {
    EXPECT_DOUBLE_EQ(quick_yield_of(0.3 * micro, 0.1 * micro), usual_quick_yield);
    EXPECT_DOUBLE_EQ(quick_yield_of(1 * micro, 0.5 * micro), 2.5 * micro);
    // Peers had the core each time.
    EXPECT_DOUBLE_EQ(quick_yield_of(6 * micro, 0.1 * micro), usual_quick_yield);
    EXPECT_GE(quick_yield_here(), usual_quick_yield);
}

}  // namespace
}  // namespace tasuki::memory
