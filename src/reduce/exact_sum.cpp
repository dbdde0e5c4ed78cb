#include "reduce/exact_sum.hpp"

#include <bit>
#include <limits>
#include <stdexcept>
#include <string>

#include "reduce/blockwise_sum.hpp"
#include "reduce/double_parts.hpp"
#include "reduce/round.hpp"

namespace tasuki::reduction {

namespace {

constexpr std::byte serialised_version{1};
constexpr std::byte negative_digits{0x80};  // beside the flags

}  // namespace

void ExactSum::add(double value) {
    const DoubleParts parts(value);
    if (parts.is_finite()) [[likely]] {
        finite_.add(parts.digits, parts.is_negative, parts.exponent);
        flags_ |= parts.is_negative_zero() ? has_negative_zero : has_more;
        return;
    }
    flags_ |= has_more;
    flags_ |= value != value ? has_nan : parts.is_negative ? has_negative_infinity : has_infinity;
}

void ExactSum::add_product(double left, double right) {
    const DoubleParts one(left);
    const DoubleParts other(right);
    const bool is_negative = one.is_negative != other.is_negative;
    if (!one.is_finite() || !other.is_finite()) {
        flags_ |= has_more;
        const bool is_nan = left != left || right != right || left == 0 || right == 0;
        flags_ |= is_nan ? has_nan : is_negative ? has_negative_infinity : has_infinity;
        return;
    }
    __extension__ typedef unsigned __int128 Digits;
    const Digits digits = Digits{one.digits} * other.digits;
    const int exponent = one.exponent + other.exponent;
    finite_.add(static_cast<std::uint64_t>(digits), is_negative, exponent);
    finite_.add(static_cast<std::uint64_t>(digits >> 64), is_negative, exponent + 64);
    flags_ |= digits == 0 && is_negative ? has_negative_zero : has_more;
}

void ExactSum::add(std::span<const double> values) {
    BlockwiseSum(*this, *this).add(values);
}
void ExactSum::add(std::span<const float> values) {
    BlockwiseSum(*this, *this).add(values);
}
void ExactSum::add_products(std::span<const double> left, std::span<const double> right) {
    BlockwiseSum(*this, *this).add_products(left, right);
}

void add_complex(std::span<const double> values, ExactSum& real, ExactSum& imaginary) {
    BlockwiseSum(real, imaginary).add(values);
}
void add_complex(std::span<const float> values, ExactSum& real, ExactSum& imaginary) {
    BlockwiseSum(real, imaginary).add(values);
}

void ExactSum::merge(const ExactSum& other) {
    finite_.merge(other.finite_);
    flags_ |= other.flags_;
}

template <typename Number>
Number ExactSum::rounded() const {
    using Limits = std::numeric_limits<Number>;
    constexpr std::uint8_t both = has_infinity | has_negative_infinity;
    if ((flags_ & has_nan) != 0 || (flags_ & both) == both) return Limits::quiet_NaN();
    if ((flags_ & has_infinity) != 0) return Limits::infinity();
    if ((flags_ & has_negative_infinity) != 0) return -Limits::infinity();
    if (flags_ == has_negative_zero) return -Number{0};
    if constexpr (std::is_same_v<Number, double>) return round_to_double(finite_.settled());
    return static_cast<Number>(round_to_float(finite_.settled()));
}

double ExactSum::to_double() const {
    return rounded<double>();
}
float ExactSum::to_float() const {
    return rounded<float>();
}

void ExactSum::serialise(std::byte* bytes) const {
    constexpr std::uint8_t infinities = has_infinity | has_negative_infinity;
    std::uint8_t flags = flags_;
    if ((flags & has_more) != 0) flags &= static_cast<std::uint8_t>(~has_negative_zero);
    if ((flags & infinities) == infinities || (flags & has_nan) != 0) flags = has_nan | has_more;
    Superaccumulator::Settled settled;  // nothing finite counts beside what is not
    if ((flags & (has_nan | infinities)) == 0) settled = finite_.settled();
    *bytes++ = serialised_version;
    *bytes++ = std::byte{flags} | (settled.is_negative ? negative_digits : std::byte{0});
    for (int i = 0; i < 6; ++i) *bytes++ = std::byte{0};
    for (std::uint32_t digit : settled.digits) {
        for (int shift = 0; shift < Superaccumulator::word_bits; shift += 8) {
            *bytes++ = static_cast<std::byte>(digit >> shift);
        }
    }
}

ExactSum ExactSum::deserialise(const std::byte* bytes) {
    constexpr std::uint8_t all_flags =
        has_nan | has_infinity | has_negative_infinity | has_negative_zero | has_more;
    ExactSum sum;
    sum.flags_ = static_cast<std::uint8_t>(bytes[1] & ~negative_digits);
    if (bytes[0] != serialised_version || (sum.flags_ & ~all_flags) != 0) {
        throw std::invalid_argument(
            "these bytes are no exact sum: they begin with " +
            std::to_string(static_cast<int>(bytes[0])) + " " +
            std::to_string(static_cast<int>(bytes[1])) +
            ", expected the version 1 and known flags; exchange sums between equal versions only");
    }
    const bool is_negative = (bytes[1] & negative_digits) != std::byte{0};
    for (int word = 0; word < Superaccumulator::words; ++word) {
        std::uint32_t digit = 0;
        for (int i = 0; i < 4; ++i) {
            digit |= static_cast<std::uint32_t>(bytes[8 + 4 * word + i]) << (8 * i);
        }
        if (digit != 0) sum.finite_.add_digit(digit, is_negative, word);
    }
    return sum;
}

}  // namespace tasuki::reduction
