// Scan and exscan by recursive doubling.
#pragma once

#include "algorithms/partial.hpp"

namespace tasuki {

/// The prefix of every rank is the canonical tree (tree.hpp) over the ranks up to it, or below it
/// if it is not `inclusive`. The vector is one chunk. Partners at distance 1, 2, 4, ... exchange
/// the sums of their blocks, and the upper one puts the lower block before its prefix.
Program canonical_scan(std::int32_t rank, std::int32_t ranks, bool inclusive);

}  // namespace tasuki
