// What the report counts on a communicator, found quickly by what a call knows of itself.
#pragma once

#include <array>
#include <cstdint>

#include "calls/collectives.hpp"
#include "interpose/row_filter.hpp"
#include "report/communicator_tally.hpp"
#include "select/selection_key.hpp"

namespace tasuki::interpose {

class ReportedSizes {
  public:
    ReportedSizes(std::int32_t rank, std::int32_t ranks, std::int32_t ordinal)
        : tally_(rank, ranks, ordinal) {}

    /// That of calls of `key_bytes`, as SelectionKey counts them, or SizeRecord::any_size.
    report::SizeTally& of(Collective collective, const RowFilter& rows, std::int64_t key_bytes) {
        // Most calls of a collective are like the one before.
        Recent& recent = recent_[static_cast<std::size_t>(collective)];
        if (recent.key_bytes != key_bytes || recent.rows != &rows) [[unlikely]] {
            recent = {&rows, key_bytes, &find(collective, rows, key_bytes)};
        }
        return *recent.found;
    }
    report::CommunicatorTally& tally() { return tally_; }

  private:
    struct Recent {
        const RowFilter* rows = nullptr;
        std::int64_t key_bytes = 0;
        report::SizeTally* found = nullptr;
    };

    [[gnu::noinline]] report::SizeTally& find(Collective collective, const RowFilter& rows,
                                              std::int64_t key_bytes) {
        const auto name = collective_names[static_cast<std::size_t>(collective)];
        const bool is_any = key_bytes == report::SizeRecord::any_size;
        return tally_.of(name, rows.key_suffix, is_any ? key_bytes : size_bucket(key_bytes));
    }

    report::CommunicatorTally tally_;
    std::array<Recent, collectives> recent_{};
};

}  // namespace tasuki::interpose
