// How far two results of one reduction are from each other.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reduce/element.hpp"

namespace tasuki::reduction {

/// Between arrays, the largest of all elements.
struct Difference {
    bool differs = false;  ///< in value, or in the sign of a zero; two NaN are alike
    /// Floating-point numbers of that precision that lie from one to the other: 1 between
    /// neighbours (units in the last place). Infinite between a number and an infinity or a NaN.
    double ulp = 0;
    /// |difference| / |result|; infinite where the result is 0, an infinity or a NaN.
    double relative = 0;

    void include(const Difference& other);
};

/// Whether elements are floating-point numbers, complex or not: then `ulp` and `relative` are told,
/// of complex ones the larger of both parts. They stay 0 for others.
bool is_floating(Element element);

/// Of `count` elements, in the current floating-point environment.
Difference difference(Element element, const std::byte* result, const std::byte* other,
                      std::size_t count);

}  // namespace tasuki::reduction
