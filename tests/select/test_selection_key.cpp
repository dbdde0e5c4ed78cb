#include <gtest/gtest.h>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "select/selection_key.hpp"

namespace tasuki {
namespace {

TEST(SizeBucket, HasTwoAnOctave) {
    for (const auto& [bytes, bucket] : std::vector<std::pair<std::int64_t, std::int64_t>>{
             {0, 0},
             {1, 1},
             {2, 2},
             {3, 3},
             {5, 4},
             {6, 6},
             {7, 6},
             {1000, 768},
             {1024, 1024},
             {1535, 1024},
             {1536, 1536},
             {std::int64_t{5} << 40, std::int64_t{4} << 40}}) {
        EXPECT_EQ(size_bucket(bytes), bucket) << bytes;
        EXPECT_EQ(size_bucket(bucket), bucket) << "a bucket is in itself";
    }
}

TEST(SelectionKey, ReadsBack) {
    for (const SelectionKey& key :
         {make_key("alltoall", 1000, Placement::blocks(32, 4), false),
          make_key("alltoall", 0, Placement::one_node(7), true),
          make_key("alltoall", 64, Placement::blocks(30, 4), false),
          make_key("alltoall", 64, Placement::from_nodes(std::vector{0, 1, 1, 0}), false)}) {
        EXPECT_EQ(read_key(key.text()), key) << key.text();
    }
    EXPECT_EQ(make_key("alltoall", 1000, Placement::blocks(32, 4), false).text(),
              "alltoall bytes=768 ranks=32 placement=8x4 oversubscribed=no");
}

// Its candidates are others, and one decision would replace the other.
TEST(SelectionKey, TellsWhetherRanksShareMemory) {
    const Placement nodes = Placement::blocks(32, 4);
    const SelectionKey without = make_key("alltoall", 64, nodes, false, false);
    EXPECT_NE(without, make_key("alltoall", 64, nodes, false));
    EXPECT_EQ(without.placement, "8x4-without-memory");
    EXPECT_EQ(read_key(without.text()), without);
    const Placement alone = Placement::blocks(32, 1);
    EXPECT_EQ(make_key("alltoall", 64, alone, false, false), make_key("alltoall", 64, alone, false))
        << "nobody to share it with";
}

TEST(SelectionKey, DoesNotGrowWithAnIrregularPlacement) {
    std::vector<std::int32_t> nodes(10000);
    for (std::size_t rank = 0; rank < nodes.size(); ++rank) {
        nodes[rank] = static_cast<std::int32_t>(rank * rank % 97);
    }
    const SelectionKey key = make_key("alltoall", 8, Placement::from_nodes(nodes), false);
    EXPECT_LT(key.text().size(), 100U);
    std::swap(nodes[1], nodes[2]);
    EXPECT_NE(make_key("alltoall", 8, Placement::from_nodes(nodes), false), key);
}

TEST(SelectionKey, IsEqualForJobsOnOtherNodesOfTheFabric) {
    const auto key = [](const char* placement) {
        return make_key("alltoall", 8, Placement::parse(placement, 4), false);
    };
    EXPECT_EQ(key("2x2@0/0,1/1"), key("2x2@0/0,0/1"));
    EXPECT_NE(key("2x2@0/0,1/1"), key("2x2")) << "another set of candidates";
    EXPECT_EQ(key("2x2@0/0,1/1").placement, "2x2-with-routes");
    EXPECT_EQ(read_key(key("0,1,1,0@0/0,1/1").text()), key("0,1,1,0@0/0,1/1"));
}

TEST(SelectionKey, RefusesWhatIsNone) {
    for (const char* text : {"", "alltoall", "alltoall bytes=3",
                             "alltoall bytes=5 ranks=2 placement=2 oversubscribed=no",
                             "alltoall bytes=-4 ranks=2 placement=2 oversubscribed=no",
                             "alltoall bytes=4 ranks=0 placement=2 oversubscribed=no",
                             "alltoall bytes=4 ranks=2 placement= oversubscribed=no",
                             "alltoall bytes=4 ranks=2 placement=2 oversubscribed=perhaps",
                             "alltoall bytes=4 ranks=2 placement=2 oversubscribed=no more"}) {
        EXPECT_THROW(read_key(text), std::invalid_argument) << text;
    }
}

}  // namespace
}  // namespace tasuki
