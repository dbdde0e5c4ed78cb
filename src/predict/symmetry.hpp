// Which ranks do the same, so that a walk of some stands for all.
#pragma once

#include <cstdint>
#include <functional>

#include "schedule/schedule.hpp"

namespace tasuki {

/// How the programs of some ranks, the representatives, stand for those of all.
struct Symmetry {
    enum class Kind : std::uint8_t {
        /// Renumbering r -> r + k * representatives (mod ranks) leaves all messages what they are:
        /// a peer does at every moment what its own representative does.
        shift,
        /// All ranks do steps of the same kinds and sizes in the same order, with whatever peers;
        /// while a rank does its n-th send, its peer does too, so that its n-th receive gets what
        /// it would itself have sent. There is one representative.
        lockstep,
    };
    Kind kind = Kind::shift;
    std::int32_t ranks = 1;
    std::int32_t representatives = 1;

    std::int32_t representative(std::int32_t rank) const { return rank % representatives; }
    /// The shift that takes `rank` to its representative, applied to `other`: as whom the
    /// representative meets it.
    std::int32_t as_seen(std::int32_t rank, std::int32_t other) const;

    static Symmetry none(std::int32_t ranks) { return {Kind::shift, ranks, ranks}; }
    static Symmetry lockstep(std::int32_t ranks) { return {Kind::lockstep, ranks, 1}; }
};

using ProgramOf = std::function<const Program&(std::int32_t rank)>;

/// Whether the programs have a symmetry, judged by some of the ranks: sampling is no proof, but
/// tests hold every row of the table to the walk of all ranks. Copies may differ: where a run of
/// chunks wraps around at the last rank, one copy becomes two.
bool has_symmetry(const Symmetry& symmetry, const ProgramOf& program_of);

}  // namespace tasuki
