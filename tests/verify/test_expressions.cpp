#include <gtest/gtest.h>

#include "verify/expressions.hpp"

namespace tasuki {
namespace {

std::vector<Program> three_ranks() {
    std::vector<Program> programs(3);
    for (Program& program : programs) program.input_chunks = 4;
    return programs;
}

TEST(Expressions, NamesInputChunks) {
    const Expressions expressions(three_ranks());
    const Value leaf = expressions.leaf({2, 3});
    EXPECT_EQ(expressions.text(leaf), "2.3");
    EXPECT_EQ(expressions.leaves(leaf), (std::vector<Origin>{{2, 3}}));
    EXPECT_NE(leaf, expressions.leaf({2, 2}));
}

TEST(Expressions, KeepsOrderAndShape) {
    Expressions expressions(three_ranks());
    const Value a = expressions.leaf({0, 0});
    const Value b = expressions.leaf({1, 0});
    const Value c = expressions.leaf({2, 0});
    const Value left = expressions.combine(expressions.combine(a, b), c);
    const Value right = expressions.combine(a, expressions.combine(b, c));
    EXPECT_EQ(expressions.text(left), "((0.0 + 1.0) + 2.0)");
    EXPECT_EQ(expressions.text(right), "(0.0 + (1.0 + 2.0))");
    EXPECT_NE(left, right);
    EXPECT_EQ(left, expressions.combine(expressions.combine(a, b), c));
    EXPECT_EQ(expressions.leaves(left), expressions.leaves(right));
}

TEST(Expressions, PassesOnWhatIsUnknown) {
    Expressions expressions(three_ranks());
    const Value sum = expressions.combine(expressions.leaf({0, 0}), unknown);
    EXPECT_EQ(sum, unknown);
    EXPECT_EQ(expressions.leaf_count(sum), 0);
    EXPECT_EQ(expressions.text(unwritten), "nothing");
}

TEST(Expressions, CountsLeavesOfATreeThatIsTooLargeToWriteDown) {
    Expressions expressions(three_ranks());
    Value value = expressions.leaf({0, 0});
    for (int doubling = 0; doubling < 100; ++doubling) value = expressions.combine(value, value);
    EXPECT_EQ(expressions.leaf_count(value), std::int64_t{1} << 61);
    EXPECT_LT(expressions.text(value, 100).size(), 120U);
}

TEST(Expressions, WalksADeepTree) {
    Expressions expressions(three_ranks());
    Value value = expressions.leaf({0, 0});
    for (int i = 0; i < 300'000; ++i) {
        value = expressions.combine(value, expressions.leaf({1, i % 4}));
    }
    EXPECT_EQ(expressions.leaves(value).size(), 300'001U);
    EXPECT_TRUE(expressions.text(value, 50).ends_with("..."));
}

}  // namespace
}  // namespace tasuki
