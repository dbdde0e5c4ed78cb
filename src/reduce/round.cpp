#include "reduce/round.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

namespace tasuki::reduction {

namespace {

using Settled = Superaccumulator::Settled;
constexpr int word_bits = Superaccumulator::word_bits;

/// floor(magnitude / 2^exponent), which the caller knows to have less than 64 bits.
std::uint64_t whole_units(const Settled& value, int exponent) {
    const int bit = exponent - Superaccumulator::lowest_exponent;
    const int first = bit / word_bits;
    const auto digit = [&](int word) {
        return std::uint64_t{word < Superaccumulator::words ? value.digits[word] : 0};
    };
    const std::uint64_t low = digit(first) | digit(first + 1) << word_bits;
    const int shift = bit % word_bits;
    return shift == 0 ? low : low >> shift | digit(first + 2) << (64 - shift);
}

bool has_digits_below(const Settled& value, int exponent) {
    const int bit = exponent - Superaccumulator::lowest_exponent;
    const int last = bit / word_bits;
    for (int word = value.first; word < std::min(last, value.last + 1); ++word) {
        if (value.digits[word] != 0) return true;
    }
    return last < Superaccumulator::words &&
           (value.digits[last] & ((std::uint64_t{1} << bit % word_bits) - 1)) != 0;
}

/// Bits are those of Number's encoding; all of it is integer arithmetic, which no rounding mode and
/// no flushing of subnormals can touch.
template <typename Number, typename Bits>
Number round_to(const Settled& value) {
    using Limits = std::numeric_limits<Number>;
    constexpr int stored_digits = Limits::digits - 1;
    constexpr int least_exponent = Limits::min_exponent - Limits::digits;  // of the last digit
    constexpr Bits hidden_digit = Bits{1} << stored_digits;
    constexpr Bits infinity = std::bit_cast<Bits>(Limits::infinity());
    const Bits sign = value.is_negative ? Bits{1} << (8 * sizeof(Bits) - 1) : Bits{0};
    if (value.last < 0) return Number{0};

    const int leading = Superaccumulator::lowest_exponent + value.last * word_bits +
                        std::bit_width(value.digits[value.last]) - 1;
    const int exponent = std::max(leading - stored_digits, least_exponent);
    if (leading < exponent - 1) return std::bit_cast<Number>(sign);
    const std::uint64_t doubled = whole_units(value, exponent - 1);
    std::uint64_t units = doubled >> 1;
    const bool is_beyond_half = doubled % 2 == 1 && has_digits_below(value, exponent - 1);
    if (is_beyond_half || (doubled % 2 == 1 && units % 2 == 1)) ++units;

    // An encoding one unit up is that of the next number, also from one exponent to the next.
    const std::int64_t biased = exponent - least_exponent;  // of the encoding, less 1 if normal
    if (biased >= 2 * Limits::max_exponent) return std::bit_cast<Number>(Bits(sign | infinity));
    const Bits encoding = static_cast<Bits>(units) + static_cast<Bits>(biased) * hidden_digit;
    return std::bit_cast<Number>(Bits(sign | std::min(encoding, infinity)));
}

}  // namespace

double round_to_double(const Settled& value) {
    return round_to<double, std::uint64_t>(value);
}
float round_to_float(const Settled& value) {
    return round_to<float, std::uint32_t>(value);
}

}  // namespace tasuki::reduction
