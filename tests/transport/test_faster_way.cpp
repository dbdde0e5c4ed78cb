// Of two ways the faster one: by what both took of late.
#include <gtest/gtest.h>

#include "transport/memory/faster_way.hpp"

namespace tasuki::test {
namespace {

using memory::Way;
using Ways = memory::FasterWay<Way::by_blocks>;
using WaysOfSizes = memory::FasterWayOfSizes<Way::by_blocks>;

constexpr std::uint64_t message_bytes = 400000;
constexpr std::uint32_t a_round = 10;

/// Messages that take so long, in turns of which way is to be better; says how many filled blocks.
std::uint32_t send(Ways& ways, std::uint32_t messages, double fill, double straight,
                   std::uint64_t bytes = message_bytes) {
    std::uint32_t filled = 0;
    for (std::uint32_t i = 0; i < messages; ++i) {
        if (ways.next(a_round) == Way::straight) {
            ways.note(Way::straight, bytes, straight);
            continue;
        }
        ++filled;
        ways.note(Way::by_blocks, bytes, fill);
    }
    return filled;
}

/// A round each, and what is measured after it.
constexpr std::uint32_t trial = a_round + memory::Pace::enough_notes;

TEST(FasterWay, BothWaysAreTriedForARoundBeforeEitherIsChosen) {
    Ways ways;
    EXPECT_EQ(send(ways, 3 * trial, 20e-6, 30e-6), 2 * trial);
    EXPECT_EQ(send(ways, 100, 20e-6, 30e-6), 100U);
}

TEST(FasterWay, WhichIsTriedFirstIsSaid) {
    memory::FasterWay<Way::straight> ways;
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(ways.next(2), Way::straight);
    }
    for (std::uint32_t i = 0; i < memory::Pace::enough_notes; ++i) {
        ways.note(Way::straight, message_bytes, 30e-6);
    }
    EXPECT_EQ(ways.next(2), Way::by_blocks);
}

TEST(FasterWay, WhatWentStraightBeforeNobodyAskedForDoesNotCount) {
    Ways ways;
    for (int i = 0; i < 5; ++i) ways.note(Way::straight, message_bytes, 90e-6);
    EXPECT_EQ(send(ways, 3 * trial, 20e-6, 10e-6), trial);
}

TEST(FasterWay, TheOtherWayIsTriedTheMoreRarelyTheMoreItTakes) {
    for (const double times : {1.5, 4.0}) {
        Ways ways;
        send(ways, 2 * trial, 20e-6 * times, 20e-6);
        const auto between = static_cast<std::uint32_t>(Ways::rounds_to_trial * a_round * times);
        EXPECT_EQ(send(ways, 10 * (between + trial), 20e-6 * times, 20e-6), 10 * trial) << times;
    }
}

TEST(FasterWay, ATrialFindsWhatHasBecomeFaster) {
    Ways ways;
    send(ways, 2 * trial, 80e-6, 20e-6);
    const std::uint32_t between = Ways::rounds_to_trial * a_round * 4 + trial;
    send(ways, between, 10e-6, 20e-6);
    EXPECT_EQ(send(ways, 1000, 10e-6, 20e-6), 1000U);
}

TEST(FasterWay, WhatBecomesSlowIsLeftSoon) {
    Ways ways;
    send(ways, 2 * trial, 20e-6, 30e-6);
    EXPECT_LE(send(ways, 1000, 60e-6, 30e-6), trial);
}

TEST(FasterWay, ARankThatLosesItsCoreOnceChangesNothing) {
    Ways ways;
    send(ways, 2 * trial, 15e-6, 30e-6);
    ways.note(Way::by_blocks, message_bytes, 4e-3);
    EXPECT_EQ(send(ways, 100, 15e-6, 30e-6), 100U);
}

TEST(FasterWay, OfFewTheTimeIsWantedOnceAWayIsChosenButOfAllOnTrial) {
    Ways ways;
    std::uint32_t wanted = 0;
    double of_blocks = 20e-6;
    double of_straight = 30e-6;
    const auto send_timed = [&](std::uint32_t messages) {
        wanted = 0;
        for (std::uint32_t i = 0; i < messages; ++i) {
            const Way way = ways.next(a_round);
            if (!ways.wants_time_of_few()) continue;
            ++wanted;
            ways.note(way, message_bytes, way == Way::straight ? of_straight : of_blocks);
        }
    };
    send_timed(2 * trial);
    EXPECT_EQ(wanted, 2 * memory::Pace::enough_notes);
    send_timed(800);
    EXPECT_LE(wanted, 800 / 16U);
    EXPECT_GE(wanted, 800 / 20U);
    // The times of a trial are known at once.
    std::swap(of_blocks, of_straight);
    for (std::uint32_t i = 0; i < 2 * Ways::rounds_to_trial * a_round + trial; ++i) send_timed(1);
    EXPECT_EQ(ways.next(a_round), Way::straight);
}

TEST(FasterWay, LongAndShortMessagesDifferInWhatIsBetter) {
    WaysOfSizes ways;
    send(ways[message_bytes], 2 * trial, 60e-6, 30e-6);
    send(ways[message_bytes / 4], 2 * trial, 4e-6, 9e-6, message_bytes / 4);
    EXPECT_EQ(ways[message_bytes + 1000].next(a_round), Way::straight);
    EXPECT_EQ(ways[message_bytes / 4].next(a_round), Way::by_blocks);
}

TEST(FasterWay, EverySizeHasAPlace) {
    WaysOfSizes ways;
    for (std::uint64_t bytes = 1; bytes < 1UL << 40; bytes *= 2) {
        EXPECT_EQ(ways[bytes].next(1), Way::by_blocks);
    }
}

}  // namespace
}  // namespace tasuki::test
