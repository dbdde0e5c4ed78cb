// Scan and exscan by Sklansky's divide and conquer.
#pragma once

#include <cstdint>

#include "algorithms/algorithm.hpp"
#include "schedule/program.hpp"

namespace tasuki {

// The ranks are halved again and again. The last rank of each lower half has the sum of that half
// and sends it to all of the upper half, who put it before what they have. So ranks together add
// P/2 log2(P) times, less than by recursive doubling, but up to P/2 of them wait for one sender.
// The prefix of each is the canonical tree (tree.hpp) over the ranks up to it, or below it. The
// parameter `segments` says how many chunks make up the vector.

Program sklansky_scan(std::int32_t rank, const Instance& instance);
Program sklansky_exscan(std::int32_t rank, const Instance& instance);

}  // namespace tasuki
