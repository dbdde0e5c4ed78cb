#include "fabric/leaf_demand.hpp"

#include <algorithm>

namespace tasuki {

std::vector<std::int32_t> LeafDemand::occupancy() const {
    std::vector<std::int32_t> count(leaves, 0);
    for (const std::int32_t mine : leaf) ++count[mine];
    return count;
}

std::int32_t LeafDemand::uplinks() const {
    return uplink.empty() ? 0 : *std::max_element(uplink.begin(), uplink.end()) + 1;
}

std::int32_t LeafDemand::least_stages() const {
    const std::vector<std::int32_t> count = occupancy();
    std::vector<std::int32_t> messages(uplinks(), 0);
    std::int32_t most = nodes() - 1;
    for (std::int32_t from = 0; from < leaves; ++from) {
        for (std::int32_t to = 0; to < nodes(); ++to) {
            const std::int32_t link = uplink_of(from, to);
            if (link >= 0) most = std::max(most, messages[link] += count[from]);
        }
    }
    return most;
}

}  // namespace tasuki
