// What the peers of a rank share: the rank itself.
#pragma once

#include <cstdint>
#include <vector>

#include "transport/memory/counters.hpp"
#include "transport/memory/operation.hpp"
#include "transport/memory/request_book.hpp"
#include "transport/memory/segment.hpp"
#include "transport/memory/settings.hpp"

namespace tasuki::memory {

class Peer;

struct Self {
    Segment segment;
    std::int32_t rank = 0;
    Settings settings;
    bool remote_copies = false;  ///< false from the first on that was denied
    bool shares_copies = false;  ///< whether both ends of a large message may copy
    RequestBook requests;
    Counters counters{};
    std::uint64_t last_id = 0;
    OperationList posted_to_any{};    ///< receives of any peer, in order
    std::uint64_t posted_count = 0;   ///< receives that found no message
    std::uint64_t arrived_count = 0;  ///< messages that found no receive
    std::vector<Peer*> touched{};     ///< peers that something was written or room made for
    /// Those of all peers that have found no room.
    std::uint64_t waiting_answers = 0;
};

}  // namespace tasuki::memory
