#include <gtest/gtest.h>
#include <random>

#include "algorithms/regions.hpp"

namespace tasuki {

namespace {

std::vector<Region> regions(const std::vector<std::int32_t>& list) {
    return regions_of(Space::output, list);
}

}  // namespace

TEST(Regions, NeighboursAreOneRun) {
    EXPECT_EQ(regions({4, 5, 6, 7}), (std::vector<Region>{output(4, 4)}));
    EXPECT_EQ(regions({3}), (std::vector<Region>{output(3)}));
    EXPECT_TRUE(regions({}).empty());
}

TEST(Regions, EqualDistancesAreOneRegion) {
    EXPECT_EQ(regions({1, 4, 7, 10}), (std::vector<Region>{strided(Space::output, 1, 4, 1, 3)}));
    EXPECT_EQ(regions({9, 6, 3}), (std::vector<Region>{strided(Space::output, 9, 3, 1, -3)}));
    EXPECT_EQ(regions({0, 1, 8, 9, 16}), (std::vector<Region>{strided(Space::output, 0, 5, 2, 8)}));
}

TEST(Regions, NameEveryListInItsOrder) {
    std::mt19937 random(7);
    for (int repetition = 0; repetition < 1000; ++repetition) {
        std::vector<std::int32_t> list(random() % 20);
        for (std::int32_t& chunk : list) chunk = static_cast<std::int32_t>(random() % 12);
        std::vector<std::int32_t> named;
        for (const Region& region : regions(list)) {
            for (std::int32_t i = 0; i < region.count; ++i) named.push_back(region.chunk(i));
        }
        ASSERT_EQ(named, list);
    }
}

}  // namespace tasuki
