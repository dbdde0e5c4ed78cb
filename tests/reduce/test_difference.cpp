#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>

#include "reduce/difference.hpp"

namespace tasuki::reduction {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <typename Type>
Difference between(Element element, const Type& result, const Type& other) {
    return difference(element, reinterpret_cast<const std::byte*>(&result),
                      reinterpret_cast<const std::byte*>(&other), 1);
}

double ulp(double result, double other) {
    return between(Element::float64, result, other).ulp;
}

/// Steps of `next` are counted one by one, over powers of two and through 0.
template <typename Number>
void expect_steps(Element element, Number from) {
    Number to = from;
    for (int steps = 0; steps < 20; ++steps) {
        EXPECT_EQ(between(element, from, to).ulp, steps);
        EXPECT_EQ(between(element, to, from).ulp, steps);
        EXPECT_EQ(between(element, from, to).differs, steps > 0);
        to = std::nextafter(to, std::numeric_limits<Number>::infinity());
    }
}

TEST(Difference, UlpsAreStepsBetweenNeighbours) {
    for (const int exponent : {0, -1000, 1000}) {
        expect_steps(Element::float64, std::nextafter(std::ldexp(1.0, exponent), 0.0));
        expect_steps(Element::float64, -std::ldexp(1.0, exponent));
    }
    expect_steps(Element::float64, -7 * std::numeric_limits<double>::denorm_min());
    expect_steps(Element::float32, std::nextafter(2.0f, 0.0f));
    expect_steps(Element::float32, -7 * std::numeric_limits<float>::denorm_min());
    expect_steps(Element::long_double, std::nextafter(2.0L, 0.0L));
    expect_steps(Element::long_double, -7 * std::numeric_limits<long double>::denorm_min());
}

TEST(Difference, FarNumbersAreFar) {
    EXPECT_EQ(ulp(1, 2), 0x1p52);
    EXPECT_EQ(ulp(1, -1), 2 * 0x3ffp52);
    EXPECT_EQ(between(Element::float64, 4.0, 3.0).relative, 0.25);
    EXPECT_EQ(between(Element::float64, 0.0, 3.0).relative, infinity);
}

TEST(Difference, NumbersThatAreNoneAreAlikeOrFar) {
    const double nan = std::nan("");
    EXPECT_FALSE(between(Element::float64, nan, -nan).differs);
    EXPECT_EQ(ulp(nan, 1), infinity);
    EXPECT_EQ(ulp(infinity, std::numeric_limits<double>::max()), infinity);
    EXPECT_FALSE(between(Element::float64, infinity, infinity).differs);
    const Difference zeros = between(Element::float64, 0.0, -0.0);
    EXPECT_TRUE(zeros.differs);
    EXPECT_EQ(zeros.ulp, 0);
}

TEST(Difference, ComplexNumbersHaveTheLargerOfTheirParts) {
    const Complex<double> a{1, 2}, b{1 + 0x1p-52, 2 + 0x1p-50};
    EXPECT_EQ(between(Element::complex64, a, b).ulp, 2);
    EXPECT_TRUE(is_floating(Element::complex64));
}

TEST(Difference, OthersAreEqualOrNot) {
    EXPECT_TRUE(between(Element::int32, 3, 4).differs);
    EXPECT_FALSE(between(Element::int32, 3, 3).differs);
    Located<double> a, b;
    std::memset(&a, 0, sizeof a);
    std::memset(&b, 0xff, sizeof b);  // the gap differs
    a.value = b.value = 1, a.index = b.index = 2;
    EXPECT_FALSE(between(Element::float64_int, a, b).differs);
    b.index = 3;
    EXPECT_TRUE(between(Element::float64_int, a, b).differs);
    EXPECT_FALSE(is_floating(Element::float64_int));
}

TEST(Difference, ArraysHaveTheLargestOfTheirElements) {
    const float result[] = {1, 2, 3}, other[] = {1, 2 + 0x1p-22f, 3 + 0x1p-20f};
    const Difference all = difference(Element::float32, reinterpret_cast<const std::byte*>(result),
                                      reinterpret_cast<const std::byte*>(other), 3);
    EXPECT_EQ(all.ulp, 4);
    EXPECT_TRUE(all.differs);
}

#ifdef TASUKI_HAS_FLOAT128
TEST(Difference, NumbersOf128Bits) {
    const Float128 one = 1;
    Float128 next = one;
    unsigned char* last = reinterpret_cast<unsigned char*>(&next);
    last[0] = 5;
    EXPECT_EQ(between(Element::float128, one, next).ulp, 5);
}
#endif

}  // namespace
}  // namespace tasuki::reduction
