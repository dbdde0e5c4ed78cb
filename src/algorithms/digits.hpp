// The digits of slots, as Bruck's algorithms move them.
#pragma once

#include <cstdint>

#include "schedule/region.hpp"

namespace tasuki {

/// Of `ranks` slots, which lie in scratch from chunk `first` on, those whose digit at position
/// `weight` (a power of `radix`) is `value`.
Region slots_with_digit(std::int32_t first, std::int32_t ranks, std::int64_t radix,
                        std::int64_t weight, std::int64_t value);

}  // namespace tasuki
