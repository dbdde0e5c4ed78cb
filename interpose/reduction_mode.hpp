// How reproducible reductions are to be.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>

#include "calls/collectives.hpp"

namespace tasuki::interpose {

enum class ReductionMode : std::uint8_t {
    off,        ///< the same bits on all ranks
    placement,  ///< the same for a number of ranks, wherever they are: the canonical tree
    exact,      ///< floating-point sums are exact and rounded once; other reductions as placement
};

/// As parse_reduction_mode() reads it.
std::string_view name_of(ReductionMode mode);

/// Throws std::invalid_argument that names the valid ones.
ReductionMode parse_reduction_mode(std::string_view text);

/// Whether TASUKI_REPRODUCIBLE asks for one, before MPI_Init. Settings are read after it; what is
/// wrong with this one is said then.
bool reduction_mode_is_asked_for();

extern constinit std::atomic<ReductionMode> current_reduction_mode;

inline ReductionMode reduction_mode() {
    return current_reduction_mode.load(std::memory_order_relaxed);
}

/// All ranks do between the same two collectives. What is not off takes the reductions from the
/// host.
void set_reduction_mode(ReductionMode mode);

/// Whether its calls combine what ranks give.
bool is_reduction(Collective collective);

}  // namespace tasuki::interpose
