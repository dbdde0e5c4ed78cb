// Which links the message between any two nodes takes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tasuki {

/// Links between switches are numbered from 0; cables to nodes do not count.
struct RouteTable {
    std::int32_t nodes = 0;
    std::int32_t most_hops = 0;
    std::vector<std::int32_t> links;  ///< [sender, receiver, hop], -1 after the last

    std::span<const std::int32_t> between(std::int32_t sender, std::int32_t receiver) const {
        const auto pair = static_cast<std::size_t>(sender) * nodes + receiver;
        return {links.data() + pair * most_hops, static_cast<std::size_t>(most_hops)};
    }
    std::int32_t link_count() const;
    /// No schedule without hot spots has fewer: the messages of the busiest link, or of a node.
    std::int32_t least_stages() const;
};

}  // namespace tasuki
