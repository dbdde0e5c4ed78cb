#include <gtest/gtest.h>

#include "execute/chunk_sizes.hpp"
#include "schedule/builder.hpp"

namespace tasuki {
namespace {

using Units = std::vector<std::int64_t>;

TEST(ChunkSizes, AreEqualUpToOneAndAddUp) {
    EXPECT_EQ(cut_evenly(10, 4), (Units{3, 3, 2, 2}));
    EXPECT_EQ(cut_evenly(2, 3), (Units{1, 1, 0}));
    EXPECT_EQ(cut_evenly(8, 1), (Units{8}));
}

TEST(ChunkSizes, ScratchFollowsItsNumbersAndHoldsAnySize) {
    ProgramBuilder builder(3, 3);
    builder.reserve_scratch(1);
    builder.reserve_scratch(2, 1);
    builder.reserve_scratch(1);
    const UnevenChunks chunks = scratch_of(builder.finish(), Units{5, 7, 2});
    EXPECT_EQ(chunks.place, (Units{0, 7, 14, 16}));
    EXPECT_EQ(chunks.cut, (Units{0, 7, 14, 16, 23}));
}

TEST(ChunkSizes, OfHeadsAndTailsAreThoseOfTheBlocks) {
    // Below the capacity, equal to it, above it, and nothing; with a gap after the first.
    const UnevenChunks blocks{.place = {0, 9, 14, 26}, .cut = {0, 3, 8, 20, 20}};
    UnevenChunks chunks = blocks;
    split_into_heads_and_tails(chunks, 5);
    EXPECT_EQ(chunks.place, (Units{0, 9, 14, 26, 3, 14, 19, 26}));
    EXPECT_EQ(chunks.cut, (Units{0, 3, 8, 13, 13, 13, 13, 20, 20}));
    UnevenChunks no_heads = blocks;
    split_into_heads_and_tails(no_heads, 0);
    EXPECT_EQ(no_heads.place, (Units{0, 9, 14, 26, 0, 9, 14, 26}));
    EXPECT_EQ(no_heads.cut, (Units{0, 0, 0, 0, 0, 3, 8, 20, 20}));
}

}  // namespace
}  // namespace tasuki
