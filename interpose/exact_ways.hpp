// How the numbers of an exact sum can come together, and what carries them.
#pragma once

#include <cstdint>

#include "algorithms/algorithm.hpp"
#include "calls/collectives.hpp"
#include "interpose/row_filter.hpp"

namespace tasuki::interpose {

/// All ranks go the same way. `straight` and `doubling` bring whole vectors to all who need sums:
/// each to each at once, or by few messages. By `blocks` each rank gets a block of every vector,
/// sums it, and passes the sums on.
enum class ExactWay : std::uint8_t { straight, doubling, blocks };

/// Of a choice that exact_ways() admits or usual_exact_way() gave.
ExactWay exact_way_of(const Choice& choice);

/// The ways that may be learnt for `bytes` on `ranks` ranks, as SelectionKey counts them. Whole
/// vectors have to fit into memory that a thread keeps.
const RowFilter& exact_ways(std::int64_t bytes, int ranks);

/// Where nothing is learnt. Lives as long as the process.
const Choice* usual_exact_way(Collective collective, int ranks, std::int64_t bytes,
                              Carrier carrier);

}  // namespace tasuki::interpose
