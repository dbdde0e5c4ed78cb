// Long lists of chunks as few regions.
#pragma once

#include <span>
#include <vector>

#include "schedule/region.hpp"

namespace tasuki {

/// The regions that name `list` in its order. Neighbours make one contiguous region, equal runs at
/// equal distances one strided region, so that the ranks of a node are one region under the usual
/// placements. Cost: O(list).
std::vector<Region> regions_of(Space space, std::span<const std::int32_t> list);

}  // namespace tasuki
