// Who exchanges with whom, stage by stage.
#pragma once

#include <bit>
#include <cstdint>

namespace tasuki {

/// Where a rank sends to and receives from in one stage.
struct Partners {
    std::int32_t destination;
    std::int32_t source;
};

/// `distance` ranks to the right and to the left, 0 <= distance <= ranks.
inline Partners shifted(std::int32_t rank, std::int32_t distance, std::int32_t ranks) {
    const std::int32_t right = ranks - distance;  // rank + distance could overflow
    return {rank >= right ? rank - right : rank + distance,
            rank >= distance ? rank - distance : rank + right};
}

/// Stage 1 .. ranks - 1 of a pairwise exchange: destination and source are one and the same rank
/// where the number of ranks is a power of two.
inline Partners pairwise_partners(std::int32_t rank, std::int32_t stage, std::int32_t ranks) {
    if (std::has_single_bit(static_cast<std::uint32_t>(ranks))) return {rank ^ stage, rank ^ stage};
    return shifted(rank, stage, ranks);
}

}  // namespace tasuki
