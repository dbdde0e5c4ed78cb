// Which messages find blocks to go through, and that ranks hand blocks to and fro.
#include <array>
#include <gtest/gtest.h>
#include <random>
#include <set>

#include "transport/memory/blocks.hpp"
#include "transport/one_thread.hpp"

namespace tasuki::test {
namespace {

using memory::Path;

/// Messages of both ranks.
std::uint64_t sent_in_blocks(const OneThread& ranks) {
    return ranks.sent(0, Path::eager) + ranks.sent(1, Path::eager);
}

/// One message, received by who waits for it.
void pass(OneThread& ranks, std::int32_t from, std::size_t bytes, unsigned number) {
    Transfer& receive = ranks.receive(from, 1 - from, 7, bytes);
    ranks.progress(2);
    Transfer& send = ranks.send(from, 1 - from, 7, content(bytes, number));
    ranks.progress(20);
    ASSERT_TRUE(send.is_done() && receive.is_done());
    ASSERT_EQ(receive.bytes, send.bytes);
}

/// Both accounts of a pair's blocks, of which only the first sends.
struct OneWay {
    static constexpr std::uint32_t share = 8;

    std::uint32_t send() {
        const std::uint32_t block = sender.take();
        receiver.keep(block);
        return block;
    }

    using Hardware = memory::Hardware;
    memory::HandedBack<Hardware> of_sender{};
    memory::HandedBack<Hardware> of_receiver{};
    memory::BlocksOf<Hardware> sender{of_sender, of_receiver, 0, share};
    memory::BlocksOf<Hardware> receiver{of_receiver, of_sender, share, share};
};

// Each new one would have cost memory, and the time to get it from the system.
TEST(Blocks, WhatIsTakenBeforeTheNextIsSentUsesFewBlocks) {
    OneWay pair;
    std::set<std::uint32_t> used;
    for (unsigned message = 0; message < 100; ++message) used.insert(pair.send());
    // The receiver keeps half a share for its answers.
    EXPECT_LE(used.size(), pair.share / 2 + 1);
    EXPECT_TRUE(pair.sender.has_unused(pair.share / 2));
    EXPECT_TRUE(pair.sender.has(pair.share / 2));
}

// The sender took the receiver's own for it, which nobody had used, and these for used ones.
TEST(Blocks, WhoLacksBlocksGetsBackThoseThatItHasUsed) {
    OneWay pair;
    std::set<std::uint32_t> used;
    for (unsigned message = 0; message < pair.share / 2; ++message) used.insert(pair.send());
    EXPECT_TRUE(pair.receiver.note_lack(true));
    for (std::size_t i = 0; i < used.size(); ++i) EXPECT_TRUE(used.contains(pair.sender.take()));
}

TEST(Blocks, RanksThatAnswerEachOtherHandBlocksToAndFro) {
    for (const std::size_t bytes : {300UL, 100000UL, 490000UL, 1UL << 20, 4UL << 20}) {
        OneThread ranks(2);
        for (unsigned i = 0; i < 20; ++i) pass(ranks, static_cast<std::int32_t>(i % 2), bytes, i);
        EXPECT_EQ(ranks.sent(0, Path::eager), 10U) << bytes;
        EXPECT_EQ(ranks.sent(1, Path::eager), 10U) << bytes;
    }
}

// They do not bring back what the larger ones fill, so these go as has been faster of late, for
// which both ways are tried.
TEST(Blocks, MessagesThatSmallerOnesAnswerGoBothWays) {
    OneThread ranks(2);
    for (unsigned i = 0; i < 200; ++i) {
        const bool is_answer = i % 2 == 1;
        pass(ranks, is_answer ? 1 : 0, is_answer ? 100000 : 400000, i);
    }
    EXPECT_GT(ranks.sent(0, Path::eager), 1U);
    EXPECT_GT(ranks.sent(0, Path::written), 1U);
}

/// Two messages at a time, to and fro.
void answer_by_two(OneThread& ranks, std::size_t bytes, unsigned rounds,
                   bool receiver_first = true) {
    for (unsigned round = 0; round < rounds; ++round) {
        const std::int32_t from = round % 2 == 0 ? 0 : 1;
        std::array<Transfer*, 2> receives{};
        const auto receive = [&] {
            for (Transfer*& one : receives) one = &ranks.receive(from, 1 - from, 7, bytes);
            ranks.progress(2);
        };
        if (receiver_first) receive();
        for (unsigned i = 0; i < 2; ++i) ranks.send(from, 1 - from, 7, content(bytes, i));
        ranks.progress(2);
        if (!receiver_first) receive();
        ranks.progress(20);
        for (unsigned i = 0; i < 2; ++i) ASSERT_EQ(receives[i]->bytes, content(bytes, i));
    }
}

// One alone took all that a rank has, and the second went straight.
TEST(Blocks, TwoLargeMessagesAtATimeFindBlocks) {
    OneThread ranks(2);
    constexpr unsigned rounds = 20;
    answer_by_two(ranks, 1 << 19, rounds);
    EXPECT_EQ(sent_in_blocks(ranks), 2 * rounds);
}

// Two copies by the ranks take less time than one by the kernel, as long as caches hold the blocks.
TEST(Blocks, BlocksCarryMegabytesWhoeverComesFirst) {
    for (const bool receiver_first : {true, false}) {
        for (const std::size_t bytes : {std::size_t{2} << 20, std::size_t{5} << 20}) {
            OneThread ranks(2);
            send_in_order(ranks, bytes, receiver_first);
            const bool fits = bytes <= memory::Settings{}.warm_bytes;
            const Path straight = receiver_first ? Path::written : Path::read;
            EXPECT_EQ(ranks.sent(0, fits ? Path::eager : straight), 1U) << bytes;
            EXPECT_EQ(ranks.copied_bytes(), fits ? 2 * bytes : bytes) << bytes;
        }
    }
}

/// A message of each rank, at the same time.
void exchange(OneThread& ranks, std::size_t bytes, unsigned number) {
    std::array<Transfer*, 2> receives{};
    for (const int rank : {0, 1}) receives[rank] = &ranks.receive(1 - rank, rank, 8, bytes);
    for (const int rank : {0, 1}) ranks.send(rank, 1 - rank, 8, content(bytes, number));
    ranks.progress(20);
    ASSERT_TRUE(receives[0]->is_done() && receives[1]->is_done());
    ASSERT_EQ(receives[0]->bytes, content(bytes, number));
}

// After exchanges that left all blocks cold.
TEST(Blocks, RanksThatAnswerEachOtherComeToUseBlocksAgain) {
    OneThread ranks(2);
    for (const std::size_t bytes : {500000UL, 1UL << 20, 4UL << 20}) {
        for (unsigned i = 0; i < 20; ++i) exchange(ranks, 490000, i);
        for (unsigned i = 0; i < 20; ++i) pass(ranks, 0, bytes, i);
        const std::uint64_t before = sent_in_blocks(ranks);
        for (unsigned i = 0; i < 40; ++i) pass(ranks, static_cast<std::int32_t>(i % 2), bytes, i);
        EXPECT_GE(sent_in_blocks(ranks) - before, 38U) << bytes;
    }
}

// The first of two found blocks, and the second never again.
TEST(Blocks, RanksThatAnswerByTwoMessagesComeToUseBlocksAgain) {
    for (const bool receiver_first : {true, false}) {
        OneThread ranks(2);
        for (const std::int32_t from : {0, 1}) {
            for (const std::size_t bytes : {1UL << 19, 40000UL}) pass(ranks, from, bytes, 0);
        }
        const std::uint64_t before = sent_in_blocks(ranks);
        answer_by_two(ranks, 1 << 19, 40, receiver_first);
        EXPECT_GE(sent_in_blocks(ranks) - before, 76U);
    }
}

// Offers that were made because blocks were cold, not for want of them, kept them cold for ever.
TEST(Blocks, RanksThatAnswerEachOtherComeToUseBlocksAgainWhateverWasBefore) {
    constexpr std::array<std::size_t, 4> lengths = {40000, 200000, 500000, 1 << 20};
    for (unsigned seed = 0; seed < 40; ++seed) {
        std::mt19937 random(seed);
        OneThread ranks(2);
        for (unsigned step = 0; step < 12; ++step) {
            const std::size_t bytes = lengths[random() % lengths.size()];
            const bool receiver_first = random() % 2 == 0;
            switch (random() % 3) {
                case 0:
                    pass(ranks, static_cast<std::int32_t>(random() % 2), bytes, step);
                    break;
                case 1:
                    exchange(ranks, bytes, step);
                    break;
                default:
                    answer_by_two(ranks, bytes, 1 + random() % 2, receiver_first);
            }
        }
        answer_by_two(ranks, 300000, 16, false);
        const std::uint64_t before = sent_in_blocks(ranks);
        answer_by_two(ranks, 300000, 4, false);
        EXPECT_EQ(sent_in_blocks(ranks) - before, 8U) << seed;
    }
}

// A few are not worth the memory of blocks; of many it is measured which way takes less.
TEST(Blocks, AFewLargeMessagesOfOneThatGetsNoAnswersGoStraight) {
    OneThread ranks(2);
    // Or pulled, if that has been faster.
    const auto straight = [&] {
        return ranks.sent(0, Path::written) + ranks.sent(0, Path::read) +
               ranks.sent(0, Path::pulled);
    };
    for (unsigned i = 0; i < 5; ++i) pass(ranks, 0, 200000, i);
    EXPECT_EQ(ranks.sent(0, Path::eager), 2U) << "to see whether there are answers";
    EXPECT_EQ(straight(), 3U);
    for (unsigned i = 5; i < 200; ++i) pass(ranks, 0, 200000, i);
    EXPECT_GE(ranks.sent(0, Path::eager), 18U);
    EXPECT_GE(straight(), 16U);
}

TEST(Blocks, BlocksDoNotGatherAtOneRank) {
    OneThread ranks(2);
    for (const std::int32_t from : {0, 1, 0, 1}) {
        for (unsigned i = 0; i < 100; ++i) pass(ranks, from, 8000, i);
    }
    EXPECT_EQ(ranks.sent(0, Path::eager), 200U);
    EXPECT_EQ(ranks.sent(1, Path::eager), 200U);
    // Two ranks that both send need half of all blocks each.
    for (unsigned i = 0; i < 10; ++i) exchange(ranks, 400000, i);
    EXPECT_GE(ranks.sent(0, Path::eager), 207U);
    EXPECT_GE(ranks.sent(1, Path::eager), 207U);
}

/// Sends so many messages of eight bytes that there are cells for a part of the next one only.
constexpr memory::Tag first_other = 100;
constexpr memory::Tag end_of_others = first_other + memory::cells_of_box - 4;

Transfer& send_half(OneThread& ranks, std::size_t bytes) {
    for (memory::Tag tag = first_other; tag < end_of_others; ++tag)
        ranks.send(0, 1, tag, content(8, 1));
    Transfer& send = ranks.send(0, 1, 7, content(bytes, 2));
    EXPECT_FALSE(send.is_done());
    return send;
}

void take_others(OneThread& ranks) {
    for (memory::Tag tag = first_other; tag < end_of_others; ++tag) ranks.receive(0, 1, tag, 8);
    ranks.progress(20);
}

// Several pieces lie in each block, and it is the peer's when the last of them has been read.
TEST(Blocks, AMessageFindsItsReceiveWhenHalfOfItHasCome) {
    OneThread ranks(2);
    constexpr std::size_t bytes = 4 << 20;
    Transfer& send = send_half(ranks, bytes);
    ranks[1].progress();
    Transfer& receive = ranks.receive(0, 1, 7, bytes);
    ASSERT_FALSE(receive.is_done());
    ranks.progress(20);
    ASSERT_TRUE(send.is_done() && receive.is_done());
    EXPECT_EQ(receive.bytes, send.bytes);
    take_others(ranks);
    for (unsigned i = 0; i < 20; ++i) pass(ranks, static_cast<std::int32_t>(i % 2), bytes, i);
}

TEST(Blocks, NoneIsLostWhereAReceiveIsGivenUpHalfWay) {
    OneThread ranks(2);
    constexpr std::size_t bytes = 4 << 20;
    for (unsigned round = 0; round < 3; ++round) {
        Transfer& receive = ranks.receive(0, 1, 7, bytes);
        send_half(ranks, bytes);
        ranks[1].progress();
        ASSERT_FALSE(receive.is_done());
        ranks[1].abandon(receive.finished);
        ranks.progress(20);
        take_others(ranks);
        for (unsigned i = 0; i < 20; ++i) pass(ranks, static_cast<std::int32_t>(i % 2), bytes, i);
        const std::uint64_t before = sent_in_blocks(ranks);
        for (unsigned i = 0; i < 4; ++i) pass(ranks, static_cast<std::int32_t>(i % 2), bytes, i);
        EXPECT_EQ(sent_in_blocks(ranks) - before, 4U) << "each takes half of all blocks";
    }
}

// Buffers mostly begin where a page does, and copies between places whose addresses end alike take
// longer.
TEST(Blocks, LieWithinTheirBoxAndLongOnesBeginApartFromPages) {
    for (const std::int32_t ranks : {2, 5, 8, 64, 512}) {
        for (std::size_t limit = 1 << 15; limit <= 1 << 27; limit *= 2) {
            const auto geometry = memory::Geometry::within(limit, ranks);
            if (geometry.blocks == 0) continue;
            const std::size_t begin = geometry.blocks_offset();
            EXPECT_GE(begin, sizeof(memory::Box));
            EXPECT_LE(begin + std::size_t{geometry.blocks} * geometry.block_bytes,
                      geometry.box_bytes());
            EXPECT_EQ(geometry.box_bytes() % memory::page_bytes, 0U);
            const bool is_long = geometry.block_bytes > memory::Geometry::usual_piece_bytes;
            EXPECT_EQ(begin % memory::page_bytes, is_long ? 1024U : 0U);
        }
    }
}

TEST(Blocks, AMessageHasNoMorePiecesThanThereAreBlocksAndCellsForIt) {
    for (const std::int32_t ranks : {2, 5, 8, 64}) {
        const auto geometry = memory::Geometry::within(std::size_t{8} << 20, ranks);
        EXPECT_LE(geometry.segment_bytes(), std::size_t{8} << 20);
        const std::uint64_t blocks = geometry.blocks - memory::blocks_for_streams;
        for (std::uint64_t bytes = 0; bytes <= blocks * geometry.block_bytes; bytes += 997) {
            const memory::Cut cut = geometry.cut(bytes);
            ASSERT_LE(cut.in_block, geometry.block_bytes);
            ASSERT_LE(cut.piece, cut.in_block);
            ASSERT_LE(cut.blocks(bytes), blocks);
            ASSERT_LE(bytes, cut.blocks(bytes) * cut.in_block);
            std::uint64_t pieces = 0, ended = 0, place = 0;
            do {
                ASSERT_LE(cut.offset(place) + cut.bytes_at(place, bytes), cut.in_block);
                place += cut.bytes_at(place, bytes);
                ended += cut.ends_block(place, bytes) ? 1 : 0;
                ++pieces;
            } while (place < bytes);
            ASSERT_EQ(ended, cut.blocks(bytes));
            ASSERT_LE(pieces, memory::cells_of_box);
            ASSERT_LE(geometry.cut_of_stream(bytes).piece, geometry.block_bytes);
        }
    }
}

}  // namespace
}  // namespace tasuki::test
