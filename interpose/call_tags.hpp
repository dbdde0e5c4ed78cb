// The tags of one call's messages.
#pragma once

#include <cstdint>

namespace tasuki::interpose {

/// Calls take turns with their tags, so that what a failed call left behind does not meet the next
/// ones. Few turns, because what is prepared for a call is prepared for each of them.
struct CallTags {
    static constexpr std::uint32_t rounds = 8;

    std::uint32_t round = 0;  ///< below `rounds`

    /// As Binding::first_tag: a call may number its messages beyond those of its round, because
    /// messages of equal tag between a pair keep their order.
    std::int32_t first() const { return static_cast<std::int32_t>(round * 64); }
};

}  // namespace tasuki::interpose
