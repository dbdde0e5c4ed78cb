// Which ranks are on one node, where their systems tell that without doubt.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tasuki {

/// What a rank tells others of where it runs; 16 bytes.
struct Whereabouts {
    std::uint64_t boot = 0;          ///< a random number of this boot of the system; 0: not told
    std::uint32_t surroundings = 0;  ///< of the name of the host and the PID namespace, hashed
    std::int32_t thread = 0;         ///< that which asks; Linux's number, in that namespace
};

/// Of the calling thread. `boot` is not told where /proc does not tell it, and where the user has
/// MPICH see other nodes than there are (MPIR_CVAR_NOLOCAL and its like). A system call, and some
/// at first.
Whereabouts own_whereabouts();

/// The node of each rank, numbered from 0 in the order of their first ranks: one for each boot.
/// nullopt where a rank has not told it, and where ranks of one boot have other surroundings:
/// containers may be nodes of their own or not, which who has launched them knows. So that all
/// ranks get the same, all must give the same. Time and memory grow with the ranks.
std::optional<std::vector<std::int32_t>> nodes_of(std::span<const Whereabouts> ranks);

}  // namespace tasuki
