#include "reduce/blockwise_sum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>

#include "reduce/double_parts.hpp"
#include "reduce/float_environment.hpp"

namespace tasuki::reduction {

namespace {

/// Fewer values than this are added sooner one by one.
constexpr std::size_t fewest_values = 32;
/// So many blocks are added one by one after one that could not be cut, before it is tried again.
constexpr std::size_t blocks_after_failure = 8;

constexpr int greatest_exponent = 1009;  // anchors and sums of a block stay finite
constexpr int least_anchor = -1022;      // its last digit is that of the least double

template <typename Number>
struct NumberTerms {
    const Number* values;
    static constexpr bool are_products = false;

    static Extract* const* extract(const ExactTable& table) {
        return std::is_same_v<Number, double> ? table.doubles : table.floats;
    }
    const std::byte* bytes(std::size_t at) const {
        return reinterpret_cast<const std::byte*>(values + at);
    }
    const std::byte* other_bytes(std::size_t) const { return nullptr; }
    double rounded(std::size_t at) const { return static_cast<double>(values[at]); }
    bool is_negative(std::size_t at) const { return std::signbit(values[at]); }
};

struct ProductTerms {
    const double* left;
    const double* right;
    static constexpr bool are_products = true;

    static Extract* const* extract(const ExactTable& table) { return table.products; }
    const std::byte* bytes(std::size_t at) const {
        return reinterpret_cast<const std::byte*>(left + at);
    }
    const std::byte* other_bytes(std::size_t at) const {
        return reinterpret_cast<const std::byte*>(right + at);
    }
    double rounded(std::size_t at) const { return left[at] * right[at]; }
    bool is_negative(std::size_t at) const {
        return std::signbit(left[at]) != std::signbit(right[at]);
    }
};

int exponent_of(double size) {
    return static_cast<int>(std::bit_cast<std::uint64_t>(size) >> 52) - 1023;
}

/// anchors[slice] = 1.5 * 2^m. Sums of 2^lane_additions_log2 values, and the rounding in between,
/// keep within half of 2^m; the first slice is for values, the next for what is left of them.
void place_anchors(int exponent, int slices, double* anchors) {
    int m = exponent + lane_additions_log2 + 3;
    for (int slice = 0; slice < slices; ++slice) {
        m = std::max(m, least_anchor);
        const auto stored_exponent = static_cast<std::uint64_t>(m + 1023);
        anchors[slice] = std::bit_cast<double>(stored_exponent << 52 | std::uint64_t{1} << 51);
        m += lane_additions_log2 + 2 - 53;
    }
}

}  // namespace

BlockwiseSum::BlockwiseSum(ExactSum& even, ExactSum& odd, InstructionSet instruction_set)
    : even_(even), odd_(odd), table_(exact_table(instruction_set)) {}

void BlockwiseSum::add(std::span<const double> values) {
    add_all(NumberTerms<double>{values.data()}, values.size());
}

void BlockwiseSum::add(std::span<const float> values) {
    add_all(NumberTerms<float>{values.data()}, values.size());
}

void BlockwiseSum::add_products(std::span<const double> left, std::span<const double> right) {
    add_all(ProductTerms{left.data(), right.data()}, left.size());
}

template <typename Terms>
void BlockwiseSum::add_all(const Terms& terms, std::size_t count) {
    window_.slices = Terms::are_products ? 3 : 2;
    if (count < fewest_values || terms.extract(table_)[window_.slices - 1] == nullptr) {
        return add_one_by_one(terms, 0, count);
    }
    const DefaultFloatEnvironment environment;
    double greatest = 0;
    const std::size_t stride = std::min(count, table_.block_values) / fewest_values;
    for (std::size_t i = 0; i < fewest_values; ++i) {
        greatest = std::max(greatest, std::abs(terms.rounded(i * stride)));
    }
    // One more than was seen, because what was not seen may be a little greater.
    window_.exponent = std::clamp(exponent_of(greatest) + 1, -1022, greatest_exponent);
    std::size_t blocks_to_skip = 0;
    for (std::size_t first = 0; first < count; first += table_.block_values) {
        const std::size_t values = std::min(count - first, table_.block_values);
        if (blocks_to_skip != 0) {
            --blocks_to_skip;
            add_one_by_one(terms, first, values);
        } else if (!add_block(terms, first, values)) {
            add_one_by_one(terms, first, values);
            blocks_to_skip = blocks_after_failure;
        }
    }
}

/// False if the block cannot be cut; then nothing was added.
template <typename Terms>
bool BlockwiseSum::add_block(const Terms& terms, std::size_t first, std::size_t count) {
    for (;;) {
        double anchors[most_slices];
        Extraction extraction;
        place_anchors(window_.exponent, window_.slices, anchors);
        terms.extract(table_)[window_.slices - 1](terms.bytes(first), terms.other_bytes(first),
                                                  count, anchors, extraction);
        const int exponent = std::max(exponent_of(extraction.greatest), -1022);
        if (exponent > greatest_exponent) return false;
        if (exponent > window_.exponent) {
            window_.exponent = exponent;
            continue;
        }
        if (extraction.is_out_of_reach) return false;
        if (extraction.has_remainder) {
            if (exponent < window_.exponent) {
                window_.exponent = exponent;
            } else if (window_.slices < most_slices) {
                ++window_.slices;
            } else {
                return false;
            }
            continue;
        }
        add_units(terms, first, count, extraction, anchors);
        return true;
    }
}

template <typename Terms>
void BlockwiseSum::add_units(const Terms& terms, std::size_t first, std::size_t count,
                             const Extraction& extraction, const double* anchors) {
    for (int parity = 0; parity < 2; ++parity) {
        ExactSum& sum = parity == 0 ? even_ : odd_;
        bool is_zero = true;
        for (int slice = 0; slice < window_.slices; ++slice) {
            const std::int64_t units = extraction.units[slice][parity];
            if (units == 0) continue;
            is_zero = false;
            const auto magnitude = static_cast<std::uint64_t>(units < 0 ? -units : units);
            sum.finite_.add(magnitude, units < 0, exponent_of(anchors[slice]) - 52);
        }
        if (is_zero) {
            note_zeros(terms, first + parity, first + count);
        } else {
            sum.flags_ |= ExactSum::has_more;
        }
    }
}

/// Of every second term from `first` on, which sum up to zero: whether all are -0. One look tells,
/// as a rule.
template <typename Terms>
void BlockwiseSum::note_zeros(const Terms& terms, std::size_t first, std::size_t end) {
    ExactSum& sum = first % 2 == 0 ? even_ : odd_;
    for (std::size_t i = first; i < end; i += 2) {
        if (terms.rounded(i) != 0 || !terms.is_negative(i)) {
            sum.flags_ |= ExactSum::has_more;
            return;
        }
        sum.flags_ |= ExactSum::has_negative_zero;
    }
}

template <typename Terms>
void BlockwiseSum::add_one_by_one(const Terms& terms, std::size_t first, std::size_t count) {
    if constexpr (Terms::are_products) {
        for (std::size_t i = first; i < first + count; ++i) {
            (i % 2 == 0 ? even_ : odd_).add_product(terms.left[i], terms.right[i]);
        }
    } else {
        // Two accumulators in turn, so that an addition seldom waits for the one before it; with
        // two sums they are the two.
        Superaccumulator second;
        Superaccumulator& odd = &odd_ == &even_ ? second : odd_.finite_;
        even_.finite_.expect(count);
        odd.expect(count);
        bool has_number[2] = {false, false};
        for (std::size_t i = first; i < first + count; ++i) {
            const DoubleParts parts(static_cast<double>(terms.values[i]));
            if (!parts.is_finite() || parts.digits == 0) [[unlikely]] {
                (i % 2 == 0 ? even_ : odd_).add(static_cast<double>(terms.values[i]));
                continue;
            }
            has_number[i % 2] = true;
            (i % 2 == 0 ? even_.finite_ : odd)
                .add_within_doubles(parts.digits, parts.is_negative, parts.exponent);
        }
        if (&odd_ == &even_) even_.finite_.merge(second);
        if (has_number[0]) even_.flags_ |= ExactSum::has_more;
        if (has_number[1]) odd_.flags_ |= ExactSum::has_more;
    }
}

}  // namespace tasuki::reduction
