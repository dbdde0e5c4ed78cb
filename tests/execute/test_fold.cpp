#include <gtest/gtest.h>

#include "execute/fold.hpp"

namespace tasuki {
namespace {

/// Texts of so many characters, that tell which operands met.
constexpr std::int64_t width = 64;

/// "(left right)".
const Combine meet = [](const std::byte* from, Operand from_operand, std::byte* to, std::int64_t) {
    const std::string a(reinterpret_cast<const char*>(from));
    const std::string b(reinterpret_cast<const char*>(to));
    std::string both = from_operand == Operand::left ? "(" + a + b + ")" : "(" + b + a + ")";
    both.resize(width);
    std::memcpy(to, both.data(), width);
};

std::vector<char> letters(std::int32_t count) {
    std::vector<char> parts(static_cast<std::size_t>(width * count), '\0');
    for (std::int32_t at = 0; at < count; ++at) {
        parts[static_cast<std::size_t>(width * at)] = static_cast<char>('a' + at);
    }
    return parts;
}

std::string folded(std::int32_t count, FoldOrder order) {
    const std::vector<char> parts = letters(count);
    std::vector<char> result(width);
    fold({reinterpret_cast<const std::byte*>(parts.data()), width, count}, order, meet,
         reinterpret_cast<std::byte*>(result.data()));
    return result.data();
}

TEST(Fold, OrdersAreWhatTheirNamesSay) {
    EXPECT_EQ(folded(4, FoldOrder::from_left), "(((ab)c)d)");
    EXPECT_EQ(folded(4, FoldOrder::from_right), "(a(b(cd)))");
    EXPECT_EQ(folded(4, FoldOrder::backwards), "(((dc)b)a)");
    EXPECT_EQ(folded(4, FoldOrder::even_first), "(((ac)b)d)");
    EXPECT_EQ(folded(5, FoldOrder::even_first), "((((ac)e)b)d)");
    EXPECT_EQ(folded(4, FoldOrder::ends_first), "(((ad)b)c)");
    EXPECT_EQ(folded(5, FoldOrder::ends_first), "((((ae)b)d)c)");
    EXPECT_EQ(folded(1, FoldOrder::backwards), "a");
}

TEST(Fold, WhatDoesNotCommuteKeepsItsOperandsInPlace) {
    for (const FoldOrder order : fold_orders(false)) {
        std::string text = folded(5, order);
        std::erase_if(text, [](char c) { return c == '(' || c == ')'; });
        EXPECT_EQ(text, "abcde");
    }
}

TEST(Fold, PrefixesAreTheSameOperandsInOtherTrees) {
    std::vector<char> left = letters(5), doubled = letters(5);
    fold_prefixes_from_left(reinterpret_cast<std::byte*>(left.data()), width, 5, meet);
    fold_prefixes_by_doubling(reinterpret_cast<std::byte*>(doubled.data()), width, 5, meet);
    const std::vector<std::string> from_left = {"a", "(ab)", "((ab)c)", "(((ab)c)d)",
                                                "((((ab)c)d)e)"};
    const std::vector<std::string> by_doubling = {"a", "(ab)", "(a(bc))", "((ab)(cd))",
                                                  "(a((bc)(de)))"};
    for (std::size_t at = 0; at < 5; ++at) {
        EXPECT_EQ(&left[at * width], from_left[at]);
        EXPECT_EQ(&doubled[at * width], by_doubling[at]);
    }
}

}  // namespace
}  // namespace tasuki
