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

Spent wait(Waiting& waiting, double& now, double length, double yield, float& usual) {
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

TEST(Waiting, SpinsWhereTheCoreIsItsOwn) {
    Waiting waiting(2, two);
    double now = 1;
    float usual = 0;
    const Spent spent = wait(waiting, now, 30 * micro, 0.4 * micro, usual);
    EXPECT_DOUBLE_EQ(spent.yield + spent.sleep, 0);
}

TEST(Waiting, YieldsWherePeersShareTheCore) {
    Waiting waiting(8, two);
    double now = 1;
    float usual = 0;
    const Spent spent = wait(waiting, now, 30 * micro, 5 * micro, usual);
    EXPECT_LE(spent.spin, 2 * micro);
    EXPECT_DOUBLE_EQ(spent.sleep, 0);
}

TEST(Waiting, LearnsThatItIsCrowdedAndThatItIsNot) {
    Waiting waiting(2, two);
    double now = 1;
    float usual = 0;
    wait(waiting, now, 300 * micro, 5 * micro, usual);
    EXPECT_TRUE(waiting.is_crowded());
    for (int i = 0; i < 100; ++i) wait(waiting, now, 10 * micro, 0.4 * micro, usual);
    EXPECT_FALSE(waiting.is_crowded());
}

TEST(Waiting, SleepsSoonWhereYieldsDoNotLetPeersRunThatShareTheCore) {
    Waiting waiting(8, two);
    double now = 1;
    float usual = 0;
    for (int i = 0; i < 100; ++i) {
        const Spent spent = wait(waiting, now, 300 * micro, 0.4 * micro, usual);
        EXPECT_LE(spent.spin + spent.yield, 10 * micro);
    }
}

TEST(Waiting, LearnsThatRanksBoundToACoreEachDoNotShareIt) {
    Waiting waiting(2, {.present = 2, .usable = 1});
    double now = 1;
    float usual = 0;
    EXPECT_TRUE(waiting.is_crowded());
    for (int i = 0; i < 100; ++i) wait(waiting, now, 10 * micro, 0.4 * micro, usual);
    EXPECT_FALSE(waiting.is_crowded());
}

TEST(Waiting, SleepsInLongWaits) {
    for (const bool crowded : {false, true}) {
        Waiting waiting(crowded ? 8 : 2, two);
        double now = 1;
        float usual = 0;
        const Spent spent = wait(waiting, now, 100 * milli, 0.4 * micro, usual);
        EXPECT_LE(spent.spin + spent.yield, 1 * milli);
    }
}

TEST(Waiting, SleepsWhereAStrangerTookTheCore) {
    Waiting waiting(8, two);
    double now = 1;
    float usual = 0;
    wait(waiting, now, 3.2 * milli, 3 * milli, usual);
    EXPECT_TRUE(waiting.has_stranger(now));
    for (int i = 0; i < 5; ++i) {
        const Spent spent = wait(waiting, now, 50 * micro, 3 * milli, usual);
        EXPECT_LE(spent.spin, 4 * micro);
        EXPECT_DOUBLE_EQ(spent.yield, 0);
    }
}

// Sleeping takes ten times as long as yielding where peers share cores: it must not stay.
TEST(Waiting, ForgetsAHiccupOfTheMachine) {
    Waiting waiting(8, two);
    double now = 1;
    float usual = 0;
    wait(waiting, now, 3 * milli, 3 * milli, usual);
    EXPECT_TRUE(waiting.has_stranger(now));
    now += 0.6 * milli;
    EXPECT_DOUBLE_EQ(wait(waiting, now, 50 * micro, 5 * micro, usual).sleep, 0);
}

TEST(Waiting, KnowsAStrangerWhoIsMetOnceInALongWhile) {
    Waiting waiting(8, two);
    double now = 1;
    float usual = 0;
    double lost = 0;
    while (now < 11) {
        now += 10 * milli;  // The program computes.
        lost += wait(waiting, now, 100 * micro, 3 * milli, usual).yield;
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

// It asks again whether the stranger is there, ever more seldom while it is.
TEST(Waiting, ReturnsWhenTheStrangerHasGone) {
    Waiting waiting(8, two);
    double now = 1;
    float usual = 0;
    double lost = 0;
    while (now < 21) lost += wait(waiting, now, 100 * micro, 3 * milli, usual).yield;
    EXPECT_LE(lost, 25 * 3 * milli);
    while (now < 24) wait(waiting, now, 100 * micro, 5 * micro, usual);
    EXPECT_FALSE(waiting.has_stranger(now));
    EXPECT_DOUBLE_EQ(wait(waiting, now, 100 * micro, 5 * micro, usual).sleep, 0);
}

TEST(Waiting, NoticesWhileSpinningThatItWasPutAside) {
    Waiting waiting(2, two);
    waiting.begin(1, 0);
    EXPECT_EQ(waiting.next(1), Pause::spin);
    EXPECT_EQ(waiting.next(1 + 4 * milli), Pause::sleep);
    EXPECT_TRUE(waiting.has_stranger(1 + 4 * milli));
}

TEST(Waiting, KnowsOfSomeCores) {
    const Cores cores = count_cores();
    EXPECT_GT(cores.usable, 0);
    EXPECT_LE(cores.usable, cores.present);
}

}  // namespace
}  // namespace tasuki::memory
