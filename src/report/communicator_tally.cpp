#include "report/communicator_tally.hpp"

#include <algorithm>
#include <string>

namespace tasuki::report {

CommunicatorRecord CommunicatorTally::record(double seconds_per_tick, std::int32_t world_rank,
                                             const Traffic& traffic) const {
    CommunicatorRecord record;
    record.ranks = ranks_;
    record.ordinal = std::min(ordinal_, most_ordinals);
    record.communicators = is_first_rank() ? 1 : 0;
    record.first_rank = world_rank;
    record.traffic = traffic;
    record.traffic.host_messages += host_messages_;
    record.traffic.host_bytes += host_bytes_;
    for (const auto& [asked, tally] : sizes_) {
        const auto& [collective, suffix, size] = asked;
        SizeRecord& added =
            record.sizes.emplace_back(tally.record(seconds_per_tick, is_first_rank()));
        added.collective = std::string(collective) + std::string(suffix);
        added.size = size;
    }
    return record;
}

}  // namespace tasuki::report
