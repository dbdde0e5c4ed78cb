// Sums of few terms against exact arithmetic, one million of them and more.
#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <stdexcept>
#include <vector>

#include "reduce/exact_oracle.hpp"
#include "reduce/exact_sum.hpp"
#include "reduce/sample_terms.hpp"

namespace tasuki::reduction {
namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes_of(const ExactSum& sum) {
    Bytes bytes(ExactSum::serialised_bytes);
    sum.serialise(bytes.data());
    return bytes;
}

template <typename Number>
ExactSum sum_of(const std::vector<Number>& terms) {
    ExactSum sum;
    for (Number term : terms) sum.add(static_cast<double>(term));
    return sum;
}

constexpr int parts = 8;
#ifdef __SANITIZE_ADDRESS__
constexpr int vectors_a_part = 10'000;
#else
constexpr int vectors_a_part = 140'000;
#endif

class ExactSums : public testing::TestWithParam<int> {};

TEST_P(ExactSums, AreRoundedOnce) {
    std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()));
    const Shape shape = finite_shapes[GetParam()];
    for (int i = 0; i < vectors_a_part; ++i) {
        const auto terms = sample_terms<double>(random, shape, 1 + random() % 8);
        ExactValue expected;
        for (double term : terms) expected.add(term);
        const ExactSum sum = sum_of(terms);
        ASSERT_TRUE(expected.rounds_to(sum.to_double())) << sum.to_double() << ", vector " << i;
        ASSERT_TRUE(expected.rounds_to(sum.to_float())) << sum.to_float() << ", vector " << i;
    }
}

TEST_P(ExactSums, OfFloatsAreRoundedOnce) {
    std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()));
    for (int i = 0; i < 10'000; ++i) {
        const auto terms = sample_terms<float>(random, finite_shapes[GetParam()], 1 + random() % 8);
        ExactValue expected;
        for (float term : terms) expected.add(static_cast<double>(term));
        ASSERT_TRUE(expected.rounds_to(sum_of(terms).to_float())) << "vector " << i;
    }
}

TEST_P(ExactSums, OfProductsAreRoundedOnce) {
    std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()));
    for (int i = 0; i < 3'000; ++i) {
        const std::size_t count = 1 + random() % 6;
        const auto left = sample_terms<double>(random, finite_shapes[GetParam()], count);
        const auto right = sample_terms<double>(random, finite_shapes[random() % parts], count);
        ExactValue expected;
        ExactSum sum;
        for (std::size_t j = 0; j < count; ++j) {
            expected.add_product(left[j], right[j]);
            sum.add_product(left[j], right[j]);
        }
        ASSERT_TRUE(expected.rounds_to(sum.to_double())) << sum.to_double() << ", vector " << i;
        ASSERT_TRUE(expected.rounds_to(sum.to_float())) << sum.to_float() << ", vector " << i;
    }
}

TEST_P(ExactSums, DoNotDependOnOrderOrGrouping) {
    std::mt19937_64 random(static_cast<std::uint64_t>(GetParam()));
    for (int i = 0; i < 500; ++i) {
        auto terms = sample_terms<double>(random, finite_shapes[GetParam()], random() % 50);
        const Bytes expected = bytes_of(sum_of(terms));
        std::shuffle(terms.begin(), terms.end(), random);
        ASSERT_EQ(bytes_of(sum_of(terms)), expected);

        std::vector<ExactSum> groups(1 + random() % 5);
        for (double term : terms) groups[random() % groups.size()].add(term);
        ExactSum together;
        for (const ExactSum& group : groups) {
            together.merge(ExactSum::deserialise(bytes_of(group).data()));
        }
        ASSERT_EQ(bytes_of(together), expected);
    }
}

INSTANTIATE_TEST_SUITE_P(Shapes, ExactSums, testing::Range(0, parts));

TEST(ExactSum, TellsInfinitiesAndNan) {
    const double infinity = std::numeric_limits<double>::infinity();
    const double nan = -std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(sum_of<double>({1, infinity, -1e308}).to_double(), infinity);
    EXPECT_EQ(sum_of<double>({1, -infinity}).to_float(), -std::numeric_limits<float>::infinity());
    for (const auto& terms :
         {std::vector<double>{infinity, 1, -infinity}, {nan, infinity}, {nan}}) {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(sum_of(terms).to_double()), 0x7ff8000000000000U);
        EXPECT_EQ(std::bit_cast<std::uint32_t>(sum_of(terms).to_float()), 0x7fc00000U);
    }
    ExactSum product;
    product.add_product(infinity, -2);
    EXPECT_EQ(product.to_double(), -infinity);
    product.add_product(0, infinity);
    EXPECT_TRUE(std::isnan(product.to_double()));
}

TEST(ExactSum, TellsZerosApart) {
    const auto is_negative = [](const std::vector<double>& terms) {
        EXPECT_EQ(sum_of(terms).to_double(), 0);
        return std::signbit(sum_of(terms).to_double());
    };
    EXPECT_FALSE(is_negative({}));
    EXPECT_TRUE(is_negative({-0.0}));
    EXPECT_TRUE(is_negative({-0.0, -0.0}));
    EXPECT_FALSE(is_negative({-0.0, 0.0}));
    EXPECT_FALSE(is_negative({-1.0, 1.0}));
    EXPECT_FALSE(is_negative({-1.0, 1.0, -0.0}));
    ExactSum product;
    product.add_product(-0.0, 3);
    EXPECT_TRUE(std::signbit(product.to_double()));
    ExactSum tiny;  // not zero, and too small for a double: the sign is kept
    tiny.add_product(-1e-300, 1e-300);
    EXPECT_EQ(tiny.to_double(), 0);
    EXPECT_TRUE(std::signbit(tiny.to_double()));
}

TEST(ExactSum, DoesNotOverflowInBetween) {
    const double greatest = std::numeric_limits<double>::max();
    EXPECT_EQ(sum_of<double>({greatest, greatest, -greatest}).to_double(), greatest);
    EXPECT_EQ(sum_of<double>({greatest, 0x1p970}).to_double(),
              std::numeric_limits<double>::infinity());
    EXPECT_EQ(sum_of<double>({greatest, 0x1p970, -0x1p-1074}).to_double(), greatest);
    ExactSum products;
    products.add_product(greatest, greatest);
    products.add_product(-greatest, greatest);
    products.add(3);
    EXPECT_EQ(products.to_double(), 3);
}

TEST(ExactSum, ThePapersExample) {
    std::vector<double> terms(64, 0x1p-60);
    terms[15] = 1;
    terms[16] = -1;
    EXPECT_EQ(sum_of(terms).to_double(), 62 * 0x1p-60);
}

TEST(ExactSum, RefusesBytesOfSomethingElse) {
    Bytes bytes = bytes_of(ExactSum());
    bytes[0] = std::byte{7};
    EXPECT_THROW(ExactSum::deserialise(bytes.data()), std::invalid_argument);
}

TEST(Superaccumulator, CarriesBeforeWordsOverflow) {
    Superaccumulator many;
    Superaccumulator merged;
    for (int i = 0; i < 40; ++i) {
        many.expect(std::uint64_t{1} << 28);  // as if so many had been added
        many.add_within_doubles(~std::uint64_t{0}, i % 4 != 0, -1074 + i * 50);
        Superaccumulator one;
        one.expect((std::uint64_t{1} << 30) - 1);
        one.add_within_doubles(~std::uint64_t{0}, i % 4 != 0, -1074 + i * 50);
        merged.merge(one);
    }
    for (int i = 0; i < 40; ++i) {
        many.add(~std::uint64_t{0}, i % 4 == 0, -1074 + i * 50);
        merged.add(~std::uint64_t{0}, i % 4 == 0, -1074 + i * 50);
    }
    EXPECT_EQ(many.settled().last, -1);
    EXPECT_EQ(merged.settled().last, -1);
}

}  // namespace
}  // namespace tasuki::reduction
