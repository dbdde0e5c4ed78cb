// Exact arithmetic of its own, slow and simple, to judge exact sums by.
#pragma once

#include <array>
#include <cmath>
#include <compare>
#include <cstdint>
#include <limits>

namespace tasuki::reduction {

/// A multiple of 2^-2148 that is not negative: schoolbook arithmetic in base 2^32.
class Magnitude {
  public:
    /// |value| * 2^scale, for finite values.
    static Magnitude of(double value, int scale = 0) {
        int exponent = 0;
        const double fraction = std::frexp(std::abs(value), &exponent);
        const auto digits = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
        Magnitude result;
        if (digits != 0) result.add(digits, exponent - 53 + scale);
        return result;
    }
    /// |left * right|
    static Magnitude product(double left, double right) {
        int exponent = 0;
        const double fraction = std::frexp(std::abs(left), &exponent);
        const auto digits = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
        Magnitude result;
        for (int bit = 0; bit < 53; ++bit) {  // as by hand
            if ((digits >> bit & 1) != 0) result += of(right, exponent - 53 + bit);
        }
        return result;
    }

    Magnitude& operator+=(const Magnitude& other) {
        std::uint64_t carry = 0;
        for (std::size_t i = 0; i < words; ++i) {
            carry += std::uint64_t{digits_[i]} + other.digits_[i];
            digits_[i] = static_cast<std::uint32_t>(carry);
            carry >>= 32;
        }
        return *this;
    }
    /// The difference of the two, whichever is greater.
    static Magnitude distance(const Magnitude& one, const Magnitude& other) {
        if (one < other) return distance(other, one);
        Magnitude result;
        std::int64_t borrow = 0;
        for (std::size_t i = 0; i < words; ++i) {
            borrow += std::int64_t{one.digits_[i]} - other.digits_[i];
            result.digits_[i] = static_cast<std::uint32_t>(borrow);
            borrow >>= 32;
        }
        return result;
    }
    std::strong_ordering operator<=>(const Magnitude& other) const {
        for (std::size_t i = words; i-- > 0;) {
            if (digits_[i] != other.digits_[i]) return digits_[i] <=> other.digits_[i];
        }
        return std::strong_ordering::equal;
    }
    bool operator==(const Magnitude&) const = default;

  private:
    static constexpr std::size_t words = 136;
    void add(std::uint64_t value, int exponent) {
        const int lowest = -2148;
        int bit = exponent - lowest;
        if (bit < 0) {  // digits of subnormals: zeros at the end
            value >>= -bit;
            bit = 0;
        }
        for (int i = 0; i < 64; ++i) {
            if ((value >> i & 1) == 0) continue;
            digits_[static_cast<std::size_t>(bit + i) / 32] |= 1U << (bit + i) % 32;
        }
    }
    std::array<std::uint32_t, words> digits_{};
};

/// An exact sum of finite terms, kept as what is above zero and what is below.
struct ExactValue {
    Magnitude positive;
    Magnitude negative;

    void add(double value) { (value < 0 ? negative : positive) += Magnitude::of(value); }
    void add_product(double left, double right) {
        ((left < 0) != (right < 0) ? negative : positive) += Magnitude::product(left, right);
    }

    /// Whether `result` is the nearest Number, of two equally near ones the even one. Zeros are all
    /// the same here.
    template <typename Number>
    bool rounds_to(Number result) const {
        using Limits = std::numeric_limits<Number>;
        const bool is_negative = positive < negative;
        const Magnitude size = Magnitude::distance(positive, negative);
        if (size == Magnitude{}) return result == 0;
        if (result != result || (result != 0 && std::signbit(result) != is_negative)) return false;
        const Number found = std::abs(result);
        // Beyond the largest number lies, for rounding, one more that would be 2^max_exponent.
        const auto exactly = [](Number number) {
            return number == Limits::infinity() ? Magnitude::of(1.0, Limits::max_exponent)
                                                : Magnitude::of(static_cast<double>(number));
        };
        if (found == Limits::infinity() && exactly(found) <= size) return true;
        const auto is_as_near_as = [&](Number neighbour) {
            const auto ours = Magnitude::distance(size, exactly(found));
            const auto theirs = Magnitude::distance(size, exactly(neighbour));
            return ours < theirs || (ours == theirs && is_even(found));
        };
        if (found != Limits::infinity() &&
            !is_as_near_as(std::nextafter(found, Limits::infinity())))
            return false;
        return found == 0 || is_as_near_as(std::nextafter(found, Number{0}));
    }

  private:
    template <typename Number>
    static bool is_even(Number number) {
        using Limits = std::numeric_limits<Number>;
        if (number == Limits::infinity() || number == 0) return true;
        int exponent = 0;
        std::frexp(number, &exponent);
        const int last = std::max(exponent - Limits::digits, Limits::min_exponent - Limits::digits);
        return std::fmod(std::ldexp(number, -last), Number{2}) == 0;
    }
};

}  // namespace tasuki::reduction
