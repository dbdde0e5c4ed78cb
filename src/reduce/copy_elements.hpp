#pragma once

#include <cstddef>

#include "reduce/element.hpp"

namespace tasuki::reduction {

/// Copies `count` elements between arrays that do not overlap. What lies between the parts of a
/// pair, and behind them, stays as it is in `to`: it is the program's own.
void copy_elements(Element element, const std::byte* from, std::byte* to, std::size_t count);

}  // namespace tasuki::reduction
