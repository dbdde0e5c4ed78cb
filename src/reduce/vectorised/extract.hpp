// Error-free extraction: the fast path of exact sums. In an anonymous namespace, as operators.hpp
// says.
//
// Each lane keeps for each slice a running sum that begins at an anchor, 1.5 * 2^m. While the sum
// stays between 2^m and 2^(m+1), its last digit is worth the same, so that adding x to it takes
// from x what is a multiple of that unit and leaves, exactly, the rest (Dekker's fast two-sum; the
// slices are those of Rump, Ogita and Oishi 2008 and of Demmel and Nguyen's indexed sums). The rest
// goes to the next slice. Nothing is rounded away as long as the last rest is zero.
#pragma once

#if defined(__FMA__)
#include <immintrin.h>
#endif

#include "reduce/vectorised/exact_table.hpp"
#include "reduce/vectorised/vectors.hpp"

namespace tasuki::reduction {
namespace {

/// Independent sums, so that an addition needs not wait for the one before it.
constexpr std::size_t chains = 2;
constexpr std::size_t extraction_values = chains * double_lanes << lane_additions_log2;

constexpr std::int64_t magnitude_bits = 0x7fffffffffffffff;

[[gnu::always_inline]] inline Doubles magnitude(Doubles value) {
    return reinterpret_cast<Doubles>(reinterpret_cast<Words>(value) & magnitude_bits);
}

/// Where values come from: a whole vector, or the first `lanes` of one and zeros.
struct DoubleSource {
    const std::byte* values;
    Doubles vector(std::size_t at) const { return load<Doubles>(values + at * sizeof(double)); }
    Doubles part(std::size_t at, std::size_t lanes) const {
        Doubles result{};
        __builtin_memcpy(&result, values + at * sizeof(double), lanes * sizeof(double));
        return result;
    }
};
struct FloatSource {
    const std::byte* values;
    Doubles vector(std::size_t at) const {
        return __builtin_convertvector(load<HalfFloats>(values + at * sizeof(float)), Doubles);
    }
    Doubles part(std::size_t at, std::size_t lanes) const {
        HalfFloats result{};
        __builtin_memcpy(&result, values + at * sizeof(float), lanes * sizeof(float));
        return __builtin_convertvector(result, Doubles);
    }
};

template <int slices>
class Slices {
  public:
    explicit Slices(const double* anchors) {
        for (int slice = 0; slice < slices; ++slice) {
            anchors_[slice] = Doubles{} + anchors[slice];
            for (std::size_t chain = 0; chain < chains; ++chain) {
                sums_[chain][slice] = anchors_[slice];
            }
        }
    }

    /// Adds `value`, of which nothing belongs to slices before `first`.
    template <int first = 0>
    [[gnu::always_inline]] inline void add(std::size_t chain, Doubles value) {
        for (int slice = first; slice < slices; ++slice) {
            const Doubles before = sums_[chain][slice];
            const Doubles after = before + value;
            value = value - (after - before);
            sums_[chain][slice] = after;
        }
        remainder_ |= reinterpret_cast<Words>(value);
    }

    void drain(Extraction& extraction) const {
        // Unsigned: a sum that strayed from its anchor may be anything.
        UnsignedWords strayed{};
        for (int slice = 0; slice < slices; ++slice) {
            const auto anchor = reinterpret_cast<UnsignedWords>(anchors_[slice]);
            UnsignedWords units{};
            for (std::size_t chain = 0; chain < chains; ++chain) {
                const auto sum = reinterpret_cast<UnsignedWords>(sums_[chain][slice]);
                units += sum - anchor;
                strayed |= (sum ^ anchor) >> 52;
            }
            std::uint64_t of_parity[2] = {0, 0};
            for (std::size_t lane = 0; lane < double_lanes; ++lane) {
                of_parity[lane % 2] += units[lane];
            }
            for (int parity = 0; parity < 2; ++parity) {
                extraction.units[slice][parity] = static_cast<std::int64_t>(of_parity[parity]);
            }
        }
        extraction.has_remainder = any(remainder_ & magnitude_bits);
        extraction.is_out_of_reach = any(reinterpret_cast<Words>(strayed));
    }

    static bool any(Words words) {
        std::int64_t all = 0;
        for (std::size_t lane = 0; lane < double_lanes; ++lane) all |= words[lane];
        return all != 0;
    }

  private:
    Doubles anchors_[slices];
    Doubles sums_[chains][slices];
    Words remainder_{};
};

inline double greatest_lane(Doubles values) {
    double greatest = 0;
    for (std::size_t lane = 0; lane < double_lanes; ++lane) {
        greatest = values[lane] > greatest ? values[lane] : greatest;
    }
    return greatest;
}

/// Calls visit(vector, chain) for all values, the last ones filled up with zeros.
template <typename Visit>
[[gnu::always_inline]] inline void for_each_vector(std::size_t count, Visit visit) {
    std::size_t i = 0;
    for (; i + chains * double_lanes <= count; i += chains * double_lanes) {
        for (std::size_t chain = 0; chain < chains; ++chain) {
            visit(i + chain * double_lanes, double_lanes, chain);
        }
    }
    for (; i < count; i += double_lanes) {
        visit(i, count - i < double_lanes ? count - i : double_lanes, std::size_t{0});
    }
}

template <int slices, typename Source>
void extract(const std::byte* values, const std::byte*, std::size_t count, const double* anchors,
             Extraction& extraction) {
    const Source source{values};
    Slices<slices> sums(anchors);
    Doubles greatest{};
    for_each_vector(count, [&](std::size_t at, std::size_t lanes, std::size_t chain) {
        const Doubles value = lanes == double_lanes ? source.vector(at) : source.part(at, lanes);
        const Doubles size = magnitude(value);
        greatest = size > greatest ? size : greatest;  // a NaN is greater than nothing
        sums.add(chain, value);
    });
    sums.drain(extraction);
    extraction.greatest = greatest_lane(greatest);
}

#if defined(__FMA__)
/// left * right - subtrahend, rounded once.
[[gnu::always_inline]] inline Doubles multiply_subtract(Doubles left, Doubles right,
                                                        Doubles subtrahend) {
#if defined(__AVX512F__)
    return _mm512_fmsub_pd(left, right, subtrahend);
#else
    return _mm256_fmsub_pd(left, right, subtrahend);
#endif
}

/// left * right is the rounded product and its error, which one multiply-add gives exactly unless
/// the product is so small that the error lies below the least double.
template <int slices>
void extract_products(const std::byte* values, const std::byte* others, std::size_t count,
                      const double* anchors, Extraction& extraction) {
    constexpr double least_exact_product = 0x1p-960;
    const DoubleSource left_source{values};
    const DoubleSource right_source{others};
    Slices<slices> sums(anchors);
    Doubles greatest{};
    Words is_too_small{};
    for_each_vector(count, [&](std::size_t at, std::size_t lanes, std::size_t chain) {
        const bool is_whole = lanes == double_lanes;
        const Doubles left = is_whole ? left_source.vector(at) : left_source.part(at, lanes);
        const Doubles right = is_whole ? right_source.vector(at) : right_source.part(at, lanes);
        const Doubles product = left * right;
        const Doubles error = multiply_subtract(left, right, product);
        const Doubles size = magnitude(product);
        greatest = size > greatest ? size : greatest;
        is_too_small |= (size < least_exact_product) & (left != 0.0) & (right != 0.0);
        sums.add(chain, product);
        sums.template add<1>(chain, error);  // at most 2^-53 of its product
    });
    sums.drain(extraction);
    extraction.greatest = greatest_lane(greatest);
    extraction.is_out_of_reach |= Slices<slices>::any(is_too_small);
}
#endif

constexpr ExactTable make_exact_table(const BlockLoops& block_doubles,
                                      const BlockLoops& block_floats) {
    return {.block_values = extraction_values,
            .doubles = {nullptr, extract<2, DoubleSource>, extract<3, DoubleSource>,
                        extract<4, DoubleSource>},
            .floats = {nullptr, extract<2, FloatSource>, extract<3, FloatSource>,
                       extract<4, FloatSource>},
#if defined(__FMA__)
            .products = {nullptr, extract_products<2>, extract_products<3>, extract_products<4>},
#else
            .products = {},
#endif
            .block_doubles = block_doubles,
            .block_floats = block_floats};
}

}  // namespace
}  // namespace tasuki::reduction
