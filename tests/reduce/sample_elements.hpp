// Elements to try kernels on: random ones and those at which arithmetic changes its ways.
#pragma once

#include <limits>
#include <random>

#include "reduce/element.hpp"

namespace tasuki::reduction {

using Random = std::mt19937_64;

template <typename Number>
Number sample_integer(Random& random) {
    const Number edges[] = {0,
                            1,
                            2,
                            static_cast<Number>(-1),
                            std::numeric_limits<Number>::max(),
                            std::numeric_limits<Number>::min()};
    if (random() % 4 == 0) return edges[random() % std::size(edges)];
    if (random() % 2 == 0) return static_cast<Number>(random() % 16);
    if constexpr (sizeof(Number) > sizeof(std::uint64_t)) {
        return static_cast<Number>(random()) * static_cast<std::int64_t>(random() >> 2);
    } else {
        return static_cast<Number>(random());
    }
}

/// A random number; every few an infinity, a NaN of either sign, a signed zero or a subnormal.
template <typename Number>
Number sample_floating(Random& random) {
    if (random() % 4 == 0) {
        using Limits = std::numeric_limits<double>;
        const Number infinity = static_cast<Number>(Limits::infinity());
        const Number nan = static_cast<Number>(Limits::quiet_NaN());
        const Number least = static_cast<Number>(std::numeric_limits<float>::denorm_min());
        const Number edges[] = {0, -Number{0}, infinity, -infinity, nan, -nan, least, -least, 1};
        return edges[random() % std::size(edges)];
    }
    const auto whole = static_cast<Number>(static_cast<std::int64_t>(random()));
    return random() % 2 == 0 ? whole / 3 : whole / static_cast<Number>(1e19);
}

template <Element element>
TypeOf<element> sample(Random& random) {
    using Type = TypeOf<element>;
    constexpr Family family = info(element).family;
    Type made{};
    if constexpr (family == Family::floating) {
        made = sample_floating<Type>(random);
    } else if constexpr (family == Family::complex) {
        made.real = sample_floating<decltype(made.real)>(random);
        made.imaginary = sample_floating<decltype(made.real)>(random);
    } else if constexpr (family == Family::pair) {
        // Few values, so that many are equal.
        const int few = static_cast<int>(random() % 5) - 2;
        made.value = static_cast<decltype(made.value)>(few);
        made.index = static_cast<decltype(made.index)>(random() % 7);
        if constexpr (!std::numeric_limits<decltype(made.value)>::is_integer) {
            if (random() % 8 == 0) made.value = sample_floating<decltype(made.value)>(random);
        }
    } else {
        made = sample_integer<Type>(random);
    }
    return made;
}

}  // namespace tasuki::reduction
