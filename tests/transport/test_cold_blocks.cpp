// Cold blocks or straight: by what both took of late.
#include <gtest/gtest.h>

#include "transport/memory/cold_blocks.hpp"

namespace tasuki::test {
namespace {

using memory::ColdBlocks;

constexpr std::uint64_t message_bytes = 400000;
constexpr std::uint32_t a_round = 10;

/// Messages that take so long, in turns of which way is to be better; says how many filled blocks.
std::uint32_t send(ColdBlocks& blocks, std::uint32_t messages, double fill, double straight,
                   std::uint64_t bytes = message_bytes) {
    std::uint32_t filled = 0;
    for (std::uint32_t i = 0; i < messages; ++i) {
        if (!blocks.are_better(a_round)) {
            blocks.note_straight(bytes, straight);
            continue;
        }
        ++filled;
        if (blocks.want_time()) blocks.note_filled(bytes, fill);
    }
    return filled;
}

/// A round each, and what is measured after it.
constexpr std::uint32_t trial = a_round + memory::Pace::enough_notes;

TEST(ColdBlocks, BothWaysAreTriedForARoundBeforeEitherIsChosen) {
    ColdBlocks blocks;
    EXPECT_EQ(send(blocks, 3 * trial, 20e-6, 30e-6), 2 * trial);
    EXPECT_EQ(send(blocks, 100, 20e-6, 30e-6), 100U);
}

TEST(ColdBlocks, WhatWentStraightBeforeNobodyAskedForDoesNotCount) {
    ColdBlocks blocks;
    for (int i = 0; i < 5; ++i) blocks.note_straight(message_bytes, 90e-6);
    EXPECT_EQ(send(blocks, 3 * trial, 20e-6, 10e-6), trial);
}

TEST(ColdBlocks, TheOtherWayIsTriedTheMoreRarelyTheMoreItTakes) {
    for (const double times : {1.5, 4.0}) {
        ColdBlocks blocks;
        send(blocks, 2 * trial, 20e-6 * times, 20e-6);
        const auto between =
            static_cast<std::uint32_t>(ColdBlocks::rounds_to_trial * a_round * times);
        EXPECT_EQ(send(blocks, 10 * (between + trial), 20e-6 * times, 20e-6), 10 * trial) << times;
    }
}

TEST(ColdBlocks, ATrialFindsWhatHasBecomeFaster) {
    ColdBlocks blocks;
    send(blocks, 2 * trial, 80e-6, 20e-6);
    const std::uint32_t between = ColdBlocks::rounds_to_trial * a_round * 4 + trial;
    send(blocks, between, 10e-6, 20e-6);
    EXPECT_EQ(send(blocks, 1000, 10e-6, 20e-6), 1000U);
}

TEST(ColdBlocks, WhatBecomesSlowIsLeftSoon) {
    ColdBlocks blocks;
    send(blocks, 2 * trial, 20e-6, 30e-6);
    EXPECT_LE(send(blocks, 1000, 60e-6, 30e-6), trial);
}

TEST(ColdBlocks, ARankThatLosesItsCoreOnceChangesNothing) {
    ColdBlocks blocks;
    send(blocks, 2 * trial, 15e-6, 30e-6);
    blocks.note_filled(message_bytes, 4e-3);
    EXPECT_EQ(send(blocks, 100, 15e-6, 30e-6), 100U);
}

TEST(ColdBlocks, LongAndShortMessagesDifferInWhatIsBetter) {
    memory::ColdBlocksOfSizes blocks;
    send(blocks[message_bytes], 2 * trial, 60e-6, 30e-6);
    send(blocks[message_bytes / 4], 2 * trial, 4e-6, 9e-6, message_bytes / 4);
    EXPECT_FALSE(blocks[message_bytes + 1000].are_better(a_round));
    EXPECT_TRUE(blocks[message_bytes / 4].are_better(a_round));
}

TEST(ColdBlocks, EverySizeHasAPlace) {
    memory::ColdBlocksOfSizes blocks;
    for (std::uint64_t bytes = 1; bytes < 1UL << 40; bytes *= 2) {
        EXPECT_TRUE(blocks[bytes].are_better(1));
    }
}

}  // namespace
}  // namespace tasuki::test
