#include "algorithms/digits.hpp"

#include <algorithm>

namespace tasuki {

Region slots_with_digit(std::int32_t first, std::int32_t ranks, std::int64_t radix,
                        std::int64_t weight, std::int64_t value) {
    const std::int64_t cycle = weight * radix;
    const std::int64_t rest = ranks % cycle - value * weight;
    const std::int64_t count = ranks / cycle * weight + std::clamp<std::int64_t>(rest, 0, weight);
    return strided(Space::scratch, static_cast<std::int32_t>(first + value * weight),
                   static_cast<std::int32_t>(count), static_cast<std::int32_t>(weight),
                   static_cast<std::int32_t>(std::min<std::int64_t>(cycle, ranks)));
}

}  // namespace tasuki
