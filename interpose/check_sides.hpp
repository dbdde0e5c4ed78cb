// Whether a call may be ours, by what it reads and writes. What is wrong with its arguments is the
// host's to say.
#pragma once

#include <optional>

#include "interpose/communicator.hpp"
#include "interpose/device_buffers.hpp"
#include "interpose/row_filter.hpp"
#include "interpose/side.hpp"

namespace tasuki::interpose {

/// false if the arguments, MPI_IN_PLACE among them, make no side.
bool make_side(std::optional<Side>& side, const void* address, MPI_Count count, MPI_Datatype type,
               int blocks);

/// Why the host has to do a call that reads and writes these sides (Side or UnevenSide); nullptr if
/// it need not, and then none of them is seen from MPI_BOTTOM any more. The ranks of a valid call
/// get the same answer: each asks with those sides whose arguments count there; nullptr is none.
/// Throws TransportError.
template <typename... Sides>
const char* why_not_ours(Communicator& communicator, Sides*... sides) {
    if (((sides != nullptr && sides->is_missing()) || ...)) return "its arguments are invalid";
    if (((sides != nullptr && !sides->can_be_sent(communicator)) || ...)) {
        return "its datatypes are not committed";
    }
    if (communicator.may_meet_device_memory()) {
        const bool mine = ((sides != nullptr && sides->is_in_device_memory()) || ...);
        if (any_rank_has_device_memory(communicator, mine)) return "a buffer is in device memory";
    }
    (static_cast<void>(sides != nullptr ? sides->leave_bottom() : void()), ...);
    return nullptr;
}

/// The rows for blocks whose sizes all ranks know: those that must not be told them are slower.
extern const RowFilter rows_of_known_sizes;
/// The rows whose blocks do not pass through ranks that must know their sizes.
extern const RowFilter rows_of_unknown_sizes;

}  // namespace tasuki::interpose
