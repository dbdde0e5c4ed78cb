#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "schedule/region.hpp"

namespace tasuki {
namespace {

std::vector<std::int32_t> chunks_of(const Region& region) {
    std::vector<std::int32_t> chunks;
    for (std::int32_t i = 0; i < region.count; ++i) chunks.push_back(region.chunk(i));
    return chunks;
}

TEST(Region, NamesNeighbours) {
    const Region region = output(3, 4);
    EXPECT_EQ(chunks_of(region), (std::vector{3, 4, 5, 6}));
    EXPECT_TRUE(region.is_contiguous());
    EXPECT_FALSE(region.empty());
}

TEST(Region, NamesBlocksAtADistance) {
    const Region region = strided(Space::scratch, 1, 5, 2, 4);
    EXPECT_EQ(chunks_of(region), (std::vector{1, 2, 5, 6, 9}));
    EXPECT_FALSE(region.is_contiguous());
}

TEST(Region, MayRunDownwards) {
    EXPECT_EQ(chunks_of(strided(Space::output, 6, 3, 1, -2)), (std::vector{6, 4, 2}));
}

TEST(Region, OfOneBlockIsContiguousWhateverItsStride) {
    EXPECT_EQ(strided(Space::input, 2, 3, 4, 100), input(2, 3));
}

TEST(Region, OfNothingIsEmpty) {
    EXPECT_TRUE(nothing().empty());
    EXPECT_TRUE(nothing().is_contiguous());
}

TEST(Region, HasTheExtentOfItsChunks) {
    for (std::int32_t count = 1; count <= 9; ++count) {
        for (std::int32_t block = 1; block <= 4; ++block) {
            for (std::int32_t stride : {-5, -4, -1, 0, 1, 3, 7}) {
                const Region region = strided(Space::input, 50, count, block, stride);
                const auto chunks = chunks_of(region);
                const auto [low, high] = std::minmax_element(chunks.begin(), chunks.end());
                EXPECT_EQ(extent_of(region).low, *low) << count << " " << block << " " << stride;
                EXPECT_EQ(extent_of(region).high, *high) << count << " " << block << " " << stride;
            }
        }
    }
}

TEST(Region, HasAnExtentBeyondWhatItsFieldsHold) {
    constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
    EXPECT_EQ(extent_of(Region{Space::input, most, most, 1, most}).high, std::int64_t{most} * most);
    EXPECT_LT(extent_of(Region{Space::input, 0, most, 1, -most}).low, -most);
}

}  // namespace
}  // namespace tasuki
