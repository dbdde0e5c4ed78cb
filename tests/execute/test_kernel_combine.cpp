#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

#include "execute/kernel_combine.hpp"

namespace tasuki {
namespace {

using reduction::Element;
using reduction::Operation;

template <typename Number>
std::vector<Number> combined(const Combine& combine, std::vector<Number> from, Operand from_operand,
                             std::vector<Number> to) {
    combine(reinterpret_cast<const std::byte*>(from.data()), from_operand,
            reinterpret_cast<std::byte*>(to.data()),
            static_cast<std::int64_t>(to.size() * sizeof(Number)));
    return to;
}

TEST(KernelCombine, CombinesAllElementsOfARunOfBytes) {
    const Combine* sum = find_combine(Operation::sum, Element::int32);
    ASSERT_NE(sum, nullptr);
    const std::vector<std::int32_t> expected = {11, 22, 33};
    EXPECT_EQ(combined<std::int32_t>(*sum, {1, 2, 3}, Operand::left, {10, 20, 30}), expected);
    EXPECT_EQ(combined<std::int32_t>(*sum, {1, 2, 3}, Operand::right, {10, 20, 30}), expected);
}

TEST(KernelCombine, CountsComplexNumbersOnce) {
    const Combine* product = find_combine(Operation::prod, Element::complex64);
    ASSERT_NE(product, nullptr);
    // (1 + 2i) (3 + 4i) = -5 + 10i, and i i = -1
    EXPECT_EQ(combined<double>(*product, {1, 2, 0, 1}, Operand::left, {3, 4, 0, 1}),
              (std::vector<double>{-5, 10, -1, 0}));
}

TEST(KernelCombine, PutsTheOperandOnItsSide) {
    // Of +0 and -0 the right one is the maximum.
    const Combine* maximum = find_combine(Operation::max, Element::float64);
    ASSERT_NE(maximum, nullptr);
    const auto sign = [&](double from, Operand operand, double to) {
        return std::signbit(combined<double>(*maximum, {from}, operand, {to})[0]);
    };
    EXPECT_TRUE(sign(0.0, Operand::left, -0.0));
    EXPECT_FALSE(sign(0.0, Operand::right, -0.0));
}

TEST(KernelCombine, IsTheSameOneEachTime) {
    EXPECT_EQ(find_combine(Operation::min, Element::float32),
              find_combine(Operation::min, Element::float32));
}

TEST(KernelCombine, IsNotThereWhereMpiDefinesNothing) {
    EXPECT_EQ(find_combine(Operation::band, Element::float64), nullptr);
    EXPECT_EQ(find_combine(Operation::maxloc, Element::int32), nullptr);
    EXPECT_EQ(find_combine(Operation::max, Element::complex32), nullptr);
}

}  // namespace
}  // namespace tasuki
