// What a decision is made for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "schedule/placement.hpp"

namespace tasuki {

/// Everything here is equal on all ranks: MPI guarantees it (the bytes of a block of an all-to-all)
/// or the ranks have agreed on it (placement, oversubscription).
///
/// Memory: constant; an irregular placement is kept as a digest.
struct SelectionKey {
    std::string collective;
    /// A value of size_bucket(): the bytes of a block in alltoall, gather and scatter, of all
    /// blocks in allgather and reduce-scatter, of the vector in others.
    std::int64_t bytes = 0;
    std::int32_t ranks = 1;
    /// "8x4", "4" (last node not full) or "irregular-<digest>"; "-with-routes" after it where the
    /// routes of the nodes are known, "-without-memory" where ranks of a node do not share memory:
    /// candidates are others there.
    std::string placement;
    bool oversubscribed = false;  ///< more ranks than cores on some node

    /// "alltoall bytes=1024 ranks=32 placement=8x4 oversubscribed=no", as read_key() reads it back.
    std::string text() const;

    friend auto operator<=>(const SelectionKey&, const SelectionKey&) = default;
};

/// `with_memory`: ranks of a node share memory, if there are several on one.
SelectionKey make_key(std::string_view collective, std::int64_t bytes, const Placement& placement,
                      bool oversubscribed, bool with_memory = true);

/// Throws std::invalid_argument that says what was expected.
SelectionKey read_key(std::string_view text);

/// The lowest size of the bucket that `bytes` is in. Two buckets an octave: 0, 1, 2, 3, 4, 6, 8,
/// 12, 16, 24, ... An application whose sizes vary would never be done learning with exact ones.
std::int64_t size_bucket(std::int64_t bytes);

}  // namespace tasuki
