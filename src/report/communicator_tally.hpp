// What one rank counts on a communicator.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>

#include "report/record.hpp"
#include "report/size_tally.hpp"

namespace tasuki::report {

/// Memory: about 2 KiB for each collective and size class that the program uses.
class CommunicatorTally {
  public:
    /// Communicators of equal size are told apart up to this number of them.
    static constexpr std::int32_t most_ordinals = 8;

    /// `ordinal`: see CommunicatorRecord; may be larger than it can be there.
    CommunicatorTally(std::int32_t rank, std::int32_t ranks, std::int32_t ordinal)
        : rank_(rank), ranks_(ranks), ordinal_(ordinal) {}

    /// That for calls of such a size class. `collective` and `suffix`, which together are its name
    /// in keys of decisions, live as long as the process. Stays where it is as long as this does.
    SizeTally& of(std::string_view collective, std::string_view suffix, std::int64_t size) {
        return sizes_[{collective, suffix, size}];
    }

    /// So many messages that the host carried beside those that its transport counts.
    void add_host_messages(std::uint64_t messages, std::uint64_t bytes) {
        host_messages_ += messages;
        host_bytes_ += bytes;
    }

    bool is_first_rank() const { return rank_ == 0; }
    /// Without name, placement and decisions; with `traffic` beside what was added.
    CommunicatorRecord record(double seconds_per_tick, std::int32_t world_rank,
                              const Traffic& traffic) const;

  private:
    using Class = std::tuple<std::string_view, std::string_view, std::int64_t>;

    std::int32_t rank_;
    std::int32_t ranks_;
    std::int32_t ordinal_;
    std::uint64_t host_messages_ = 0;
    std::uint64_t host_bytes_ = 0;
    std::map<Class, SizeTally> sizes_;
};

}  // namespace tasuki::report
