// Which ranks are on one node, as their systems say.
#pragma once

#include <cstdint>

namespace tasuki::interpose {

/// What a rank tells others of where it runs; 16 bytes.
struct Whereabouts {
    std::uint64_t node = 0;              ///< the same on the ranks of one node only
    std::int32_t thread = 0;             ///< that which asks; Linux's number
    std::uint32_t thread_numbering = 0;  ///< the PID namespace of that number; 0: not known
};

/// Ranks are on one node if the same boot of a system carries them and it goes by the same name:
/// containers with names of their own are nodes, as MPI libraries take them for. Not asked of the
/// library, for which a split takes 1 ms (Open MPI) to 6 ms (MPICH, Intel MPI) on 8 ranks that
/// share 2 cores. Costs three system calls; what stays the same is found once.
Whereabouts own_whereabouts();

}  // namespace tasuki::interpose
