// Which ranks do the same, so that a walk of some stands for all.
#pragma once

#include <cstdint>
#include <functional>

#include "schedule/schedule.hpp"

namespace tasuki {

/// A way to renumber the ranks under which the messages of all programs stay what they are. Every
/// rank is the image of one of the first `representatives` ranks; a representative's peer does at
/// every moment what that peer's own representative does.
struct Symmetry {
    enum class Kind : std::uint8_t {
        shift,         ///< r -> r + k * representatives (mod ranks)
        exclusive_or,  ///< r -> r xor k * representatives; ranks is a power of two
        nodes,         ///< node i, local j -> node i + k, local j + l, on evenly filled nodes
    };
    Kind kind = Kind::shift;
    std::int32_t ranks = 1;
    std::int32_t representatives = 1;  ///< equal to ranks: no symmetry at all
    std::int32_t ranks_per_node = 1;   ///< Kind::nodes only

    std::int32_t representative(std::int32_t rank) const;
    /// The renumbering that takes `rank` to its representative, applied to `other`: as whom the
    /// representative meets it.
    std::int32_t as_seen(std::int32_t rank, std::int32_t other) const;

    static Symmetry none(std::int32_t ranks) { return {Kind::shift, ranks, ranks, 1}; }
};

/// Looks for the symmetry with the fewest representatives by comparing the representatives'
/// programs with those of some of their images; `program_of` makes the program of a rank. Sampling
/// is no proof: tests hold every row of the table to the walk of all ranks.
///
/// With `keep_links`, only renumberings that keep ranks of one node on one node are considered.
Symmetry find_symmetry(const Instance& instance, bool keep_links,
                       const std::function<const Program&(std::int32_t rank)>& program_of);

}  // namespace tasuki
