#include "fabric/route_table.hpp"

#include <algorithm>

namespace tasuki {

std::int32_t RouteTable::link_count() const {
    return links.empty() ? 0 : *std::max_element(links.begin(), links.end()) + 1;
}

std::int32_t RouteTable::least_stages() const {
    std::vector<std::int32_t> messages(link_count(), 0);
    std::int32_t most = nodes - 1;
    for (std::int32_t sender = 0; sender < nodes; ++sender) {
        for (std::int32_t receiver = 0; receiver < nodes; ++receiver) {
            if (sender == receiver) continue;
            for (const std::int32_t link : between(sender, receiver)) {
                if (link >= 0) most = std::max(most, ++messages[link]);
            }
        }
    }
    return most;
}

}  // namespace tasuki
