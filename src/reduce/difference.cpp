#include "reduce/difference.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

namespace tasuki::reduction {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

__extension__ typedef unsigned __int128 Position;

/// Where a number that is not negative stands among those of its type.
template <typename Number>
Position position(Number value) {
    Position bits = 0;
    std::memcpy(&bits, &value, std::min(sizeof value, sizeof bits));
#ifdef __x86_64__
    if constexpr (std::is_same_v<Number, long double>) {
        // 64 bits, of which the leading one is implied by the exponent above them, and padding.
        const Position exponent = bits >> 64 & 0x7fff;
        return exponent << 63 | (bits & 0x7fffffffffffffff);
    }
#endif
    return bits;
}

template <typename Number>
Number magnitude(Number value) {
    return value < 0 ? -value : value;
}

template <typename Number>
bool is_finite(Number value) {
    return value - value == 0;
}

template <typename Number>
bool has_sign(Number value) {
    std::byte bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    constexpr std::size_t top = sizeof value == 16 && std::is_same_v<Number, long double> &&
                                        std::numeric_limits<long double>::digits == 64
                                    ? 9
                                    : sizeof value - 1;
    static_assert(std::endian::native == std::endian::little);
    return (bytes[top] & std::byte{0x80}) != std::byte{0};
}

template <typename Number>
Difference between(Number result, Number other) {
    const bool is_nan = result != result, other_is_nan = other != other;
    if (is_nan && other_is_nan) return {};
    if (result == other) return {.differs = result == 0 && has_sign(result) != has_sign(other)};
    if (!is_finite(result) || !is_finite(other)) return {true, infinity, infinity};
    const bool same_sign = (result < 0) == (other < 0);
    // -0 stands where +0 does.
    const Position a = result == 0 ? 0 : position(magnitude(result));
    const Position b = other == 0 ? 0 : position(magnitude(other));
    const Position steps = !same_sign ? a + b : a < b ? b - a : a - b;
    const auto relative =
        result == 0 ? infinity : static_cast<double>(magnitude((result - other) / result));
    return {true, static_cast<double>(steps), relative};
}

template <Family family, typename Type>
Difference of_element(const Type& result, const Type& other) {
    if constexpr (family == Family::floating) {
        return between(result, other);
    } else if constexpr (family == Family::complex) {
        Difference parts = between(result.real, other.real);
        parts.include(between(result.imaginary, other.imaginary));
        return parts;
    } else if constexpr (family == Family::pair) {  // there may be a gap between its parts
        const bool same_value = result.value == other.value ||
                                (result.value != result.value && other.value != other.value);
        return {.differs = !same_value || result.index != other.index};
    } else {
        return {.differs = result != other};
    }
}

template <Family family, typename Type>
Difference of_array(const std::byte* result, const std::byte* other, std::size_t count) {
    Difference largest;
    for (std::size_t at = 0; at < count; ++at, result += sizeof(Type), other += sizeof(Type)) {
        Type one, two;
        std::memcpy(&one, result, sizeof one);
        std::memcpy(&two, other, sizeof two);
        largest.include(of_element<family>(one, two));
    }
    return largest;
}

}  // namespace

void Difference::include(const Difference& other) {
    differs = differs || other.differs;
    ulp = std::max(ulp, other.ulp);
    relative = std::max(relative, other.relative);
}

bool is_floating(Element element) {
    const Family family = info(element).family;
    return family == Family::floating || family == Family::complex;
}

Difference difference(Element element, const std::byte* result, const std::byte* other,
                      std::size_t count) {
    switch (element) {
#define TASUKI_ELEMENT(name, type, family) \
    case Element::name:                    \
        return of_array<Family::family, type>(result, other, count);
#include "reduce/elements.inc"
#undef TASUKI_ELEMENT
    }
    return {};
}

}  // namespace tasuki::reduction
