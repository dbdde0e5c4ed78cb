// The operands of reductions.
#pragma once

#include <vector>

#include "contract/contract.hpp"

namespace tasuki {

/// Input chunk `chunk` of the first `ranks` ranks, in their order.
inline std::vector<Origin> operands(std::int32_t ranks, std::int32_t chunk) {
    std::vector<Origin> list;
    list.reserve(ranks);
    for (std::int32_t rank = 0; rank < ranks; ++rank) list.push_back({rank, chunk});
    return list;
}

}  // namespace tasuki
