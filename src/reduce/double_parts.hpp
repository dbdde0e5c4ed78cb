// A double taken apart.
#pragma once

#include <bit>
#include <cstdint>

namespace tasuki::reduction {

/// The value is digits * 2^exponent, with its sign, if it is finite.
struct DoubleParts {
    std::uint64_t digits;
    int exponent;
    bool is_negative;
    int stored_exponent;

    explicit DoubleParts(double value) {
        const auto bits = std::bit_cast<std::uint64_t>(value);
        stored_exponent = static_cast<int>(bits >> 52 & 0x7ff);
        is_negative = bits >> 63 != 0;
        const bool is_normal = stored_exponent != 0;
        digits = (bits & 0xfffffffffffff) | std::uint64_t{is_normal} << 52;
        exponent = stored_exponent + !is_normal - 1075;
    }

    bool is_finite() const { return stored_exponent != 0x7ff; }
    bool is_negative_zero() const { return digits == 0 && is_negative; }
};

}  // namespace tasuki::reduction
