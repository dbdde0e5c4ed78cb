// Sums of arrays against the same numbers one by one, with every instruction set.
#include <algorithm>
#include <cfenv>
#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "reduce/blockwise_sum.hpp"
#include "reduce/sample_terms.hpp"

#ifdef __x86_64__
#include <xmmintrin.h>
#endif

namespace tasuki::reduction {
namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes_of(const ExactSum& sum) {
    Bytes bytes(ExactSum::serialised_bytes);
    sum.serialise(bytes.data());
    return bytes;
}

class Blockwise : public testing::TestWithParam<InstructionSet> {
  protected:
    void SetUp() override {
        if (GetParam() > best_instruction_set()) GTEST_SKIP() << "this processor lacks it";
    }

    template <typename Number>
    void check(const std::vector<Number>& values, const std::string& where) const {
        ExactSum together;
        ExactSum even;
        ExactSum odd;
        for (std::size_t i = 0; i < values.size(); ++i) {
            together.add(static_cast<double>(values[i]));
            (i % 2 == 0 ? even : odd).add(static_cast<double>(values[i]));
        }
        ExactSum sum;
        BlockwiseSum(sum, sum, GetParam()).add(values);
        ASSERT_EQ(bytes_of(sum), bytes_of(together)) << where;
        ExactSum real;
        ExactSum imaginary;
        BlockwiseSum(real, imaginary, GetParam()).add(values);
        ASSERT_EQ(bytes_of(real), bytes_of(even)) << where << ", real";
        ASSERT_EQ(bytes_of(imaginary), bytes_of(odd)) << where << ", imaginary";
    }

    void check_products(const std::vector<double>& left, const std::vector<double>& right,
                        const std::string& where) const {
        ExactSum expected;
        for (std::size_t i = 0; i < left.size(); ++i) expected.add_product(left[i], right[i]);
        ExactSum sum;
        BlockwiseSum(sum, sum, GetParam()).add_products(left, right);
        ASSERT_EQ(bytes_of(sum), bytes_of(expected)) << where << ", products";
    }
};

constexpr Shape all_shapes[] = {Shape::similar, Shape::narrow,    Shape::wide,
                                Shape::huge,    Shape::subnormal, Shape::cancelling,
                                Shape::halfway, Shape::zeros,     Shape::special};

TEST_P(Blockwise, EqualsOneByOne) {
    std::mt19937_64 random(20261121);
    for (Shape shape : all_shapes) {
        for (std::size_t count : {0, 1, 2, 31, 32, 33, 47, 64, 100, 1001, 20'000, 70'001}) {
            const int repetitions = count < 2000 ? 20 : 1;
            for (int repetition = 0; repetition < repetitions; ++repetition) {
                const std::string where = "shape " + std::to_string(static_cast<int>(shape)) +
                                          ", count " + std::to_string(count);
                const auto values = sample_terms<double>(random, shape, count);
                check(values, where);
                check(sample_terms<float>(random, shape, count), where + ", float");
                const Shape other = repetition % 2 == 0 ? shape : all_shapes[random() % 9];
                check_products(values, sample_terms<double>(random, other, count), where);
            }
        }
    }
}

// The window of slices must follow, up and down and with gaps.
TEST_P(Blockwise, FollowsValuesThatChange) {
    std::mt19937_64 random(7);
    std::vector<double> values;
    for (int exponent : {0, 40, -200, 900, 1020, -1070, -3, -1022, 1000, -1060, 0, 1}) {
        for (int i = 0; i < 17'000; ++i) {
            values.push_back(random_number<double>(random, exponent, exponent + 3));
        }
    }
    check(values, "steps");
    check_products(values, values, "steps");
    for (double& value : values) {
        if (random() % 5 == 0) value = -0.0;
    }
    check(values, "steps with zeros");
    check_products(values, values, "steps with zeros");
}

// All lanes at the edge of what a slice has room for.
TEST_P(Blockwise, HasRoomForTheGreatest) {
    for (double value : {std::nextafter(2.0, 0.0), -std::nextafter(2.0, 0.0), 1.0, -0x1.8p1000}) {
        check(std::vector<double>(100'000, value), "equal values");
        check_products(std::vector<double>(100'000, value), std::vector<double>(100'000, 1.5),
                       "equal values");
    }
}

TEST_P(Blockwise, MinusZeroStays) {
    const std::vector<double> values(1000, -0.0);
    ExactSum sum;
    BlockwiseSum(sum, sum, GetParam()).add(values);
    EXPECT_TRUE(std::signbit(sum.to_double()));
    std::vector<double> parts(1000, -0.0);
    for (std::size_t i = 1; i < parts.size(); i += 2) parts[i] = 1;
    check(parts, "real parts -0");
}

TEST_P(Blockwise, TheProgramsArithmeticIsNeitherUsedNorChanged) {
    std::mt19937_64 random(3);
    auto values = sample_terms<double>(random, Shape::narrow, 5000);
    for (double small : sample_terms<double>(random, Shape::subnormal, 5000)) {
        values.push_back(small);
    }
    ExactSum expected;
    BlockwiseSum(expected, expected, GetParam()).add(values);
    std::fesetround(FE_UPWARD);
#ifdef __x86_64__
    _mm_setcsr(_mm_getcsr() | 0x8040);  // subnormals are zero, as operands and as results
    const unsigned before = _mm_getcsr();
#endif
    ExactSum sum;
    BlockwiseSum(sum, sum, GetParam()).add(values);
    const double rounded = sum.to_double();
#ifdef __x86_64__
    EXPECT_EQ(_mm_getcsr(), before);
    _mm_setcsr(0x1f80);
#endif
    EXPECT_EQ(std::fegetround(), FE_UPWARD);
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(bytes_of(sum), bytes_of(expected));
    EXPECT_EQ(rounded, expected.to_double());
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, Blockwise,
                         testing::Values(InstructionSet::baseline, InstructionSet::avx2,
                                         InstructionSet::avx512),
                         [](const auto& set) {
                             return std::string(
                                 instruction_set_names[static_cast<std::size_t>(set.param)]);
                         });

}  // namespace
}  // namespace tasuki::reduction
