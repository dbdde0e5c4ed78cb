// Sums of several contributors, element by element, against exact sums of each element.
#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "reduce/exact_block_sum.hpp"
#include "reduce/exact_sum.hpp"
#include "reduce/sample_terms.hpp"

namespace tasuki::reduction {
namespace {

constexpr Shape all_shapes[] = {Shape::similar, Shape::narrow,    Shape::wide,
                                Shape::huge,    Shape::subnormal, Shape::cancelling,
                                Shape::halfway, Shape::zeros,     Shape::special};

class BlockSums : public testing::TestWithParam<InstructionSet> {
  protected:
    void SetUp() override {
        if (GetParam() > best_instruction_set()) GTEST_SKIP() << "this processor lacks it";
    }

    /// `count` numbers of each contributor, which begin at odd addresses.
    template <typename Number>
    void check(Shape shape, std::size_t contributors, std::size_t count, Element element) {
        std::vector<std::vector<Number>> values;  // [element][contributor]
        for (std::size_t i = 0; i < count; ++i) {
            values.push_back(sample_terms<Number>(random_, shape, contributors));
        }
        std::vector<std::vector<std::byte>> buffers;
        std::vector<const std::byte*> addresses;
        for (std::size_t from = 0; from < contributors; ++from) {
            auto& buffer = buffers.emplace_back(count * sizeof(Number) + 1);
            for (std::size_t i = 0; i < count; ++i) {
                std::memcpy(&buffer[1 + i * sizeof(Number)], &values[i][from], sizeof(Number));
            }
        }
        for (const auto& buffer : buffers) addresses.push_back(buffer.data() + 1);
        std::vector<Number> expected;
        for (const auto& terms : values) {
            ExactSum sum;
            for (Number term : terms) sum.add(static_cast<double>(term));
            expected.push_back(static_cast<Number>(
                sizeof(Number) == sizeof(double) ? sum.to_double() : sum.to_float()));
        }
        const std::size_t elements_each =
            info(element).family == Family::complex ? count / 2 : count;
        std::vector<Number> result(count + 1, Number{42});
        exact_block_sum(element, addresses.data(), contributors,
                        reinterpret_cast<std::byte*>(result.data()), elements_each, GetParam());
        const std::size_t bytes = count * sizeof(Number);
        const auto where = [&] {
            return "shape " + std::to_string(static_cast<int>(shape)) + ", " +
                   std::to_string(contributors) + " contributors, count " + std::to_string(count);
        };
        ASSERT_TRUE(bytes == 0 || std::memcmp(result.data(), expected.data(), bytes) == 0)
            << where();
        ASSERT_EQ(result[count], Number{42}) << where();

        check_last_prefixes(element, addresses, expected, elements_each, values);

        std::byte* own = buffers[contributors / 2].data() + 1;
        exact_block_sum(element, addresses.data(), contributors, own, elements_each, GetParam());
        ASSERT_TRUE(bytes == 0 || std::memcmp(own, expected.data(), bytes) == 0)
            << where() << ", in place";
    }

    /// The prefixes of all contributors but the last, and of all of them.
    template <typename Number>
    void check_last_prefixes(Element element, const std::vector<const std::byte*>& addresses,
                             const std::vector<Number>& whole, std::size_t elements_each,
                             const std::vector<std::vector<Number>>& values) {
        const std::size_t count = whole.size();
        std::vector<std::vector<Number>> prefixes(addresses.size(),
                                                  std::vector<Number>(count + 1, Number{42}));
        std::vector<std::byte*> results;
        for (auto& prefix : prefixes) results.push_back(reinterpret_cast<std::byte*>(&prefix[0]));
        exact_block_prefixes(element, addresses.data(), addresses.size(), results.data(),
                             elements_each, GetParam());
        for (const auto& prefix : prefixes) ASSERT_EQ(prefix[count], Number{42});
        const std::size_t bytes = count * sizeof(Number);
        ASSERT_TRUE(bytes == 0 || std::memcmp(results.back(), whole.data(), bytes) == 0);
        for (std::size_t last = 0; last + 1 < addresses.size(); last += 3) {
            for (std::size_t i = 0; i < count; ++i) {
                ExactSum sum;
                for (std::size_t from = 0; from <= last; ++from) {
                    sum.add(static_cast<double>(values[i][from]));
                }
                const auto exact = static_cast<Number>(
                    sizeof(Number) == sizeof(double) ? sum.to_double() : sum.to_float());
                ASSERT_EQ(std::memcmp(&prefixes[last][i], &exact, sizeof exact), 0)
                    << "element " << i << " of the first " << last + 1 << " contributors";
            }
        }
    }

    std::mt19937_64 random_{20261121};
};

TEST_P(BlockSums, EqualExactSumsOfEachElement) {
    for (Shape shape : all_shapes) {
        for (std::size_t contributors = 1; contributors <= 17; ++contributors) {
            for (std::size_t count : {0, 2, 6, 14, 16, 34, 130}) {
                check<double>(shape, contributors, count, Element::float64);
                check<float>(shape, contributors, count, Element::float32);
                check<double>(shape, contributors, count, Element::complex64);
                check<float>(shape, contributors, count, Element::complex32);
            }
            check<double>(shape, contributors, 1 + random_() % 100, Element::float64);
            check<float>(shape, contributors, 1 + random_() % 100, Element::float32);
        }
        check<double>(shape, 1000, 9, Element::float64);
    }
}

/// More than any kernel takes at a time, of every shape: a million doubles and more of each type.
TEST_P(BlockSums, EqualThoseOfAMillionElements) {
    if (GetParam() != best_instruction_set()) GTEST_SKIP() << "the best instructions do this";
    constexpr std::size_t count = 1'000'000 / (3 * std::size(all_shapes)) / 2 * 2 + 2;
    for (Shape shape : all_shapes) {
        for (std::size_t contributors : {2, 5, 8}) {
            check<double>(shape, contributors, count, Element::float64);
            check<float>(shape, contributors, count / 3 * 2, Element::float32);
            check<double>(shape, contributors, count / 3 * 2, Element::complex64);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, BlockSums,
                         testing::Values(InstructionSet::baseline, InstructionSet::avx2,
                                         InstructionSet::avx512),
                         [](const auto& set) {
                             return std::string(
                                 instruction_set_names[static_cast<std::size_t>(set.param)]);
                         });

TEST(ExactBlockSum, IsForFloatDoubleAndTheirComplexTypes) {
    int having = 0;
    for (std::size_t i = 0; i < elements; ++i) having += has_exact_sum(static_cast<Element>(i));
    EXPECT_EQ(having, 4);
}

}  // namespace
}  // namespace tasuki::reduction
