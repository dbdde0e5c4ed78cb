// How reproducible reductions are on one communicator.
#pragma once

#include <atomic>
#include <string_view>

#include "calls/collectives.hpp"
#include "interpose/reduction_mode.hpp"
#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// The info key that sets it, and with which MPI_Comm_get_info tells it.
inline constexpr char mode_key[] = "tasuki_reproducible";

/// Communicators of this process that have a mode of their own.
extern constinit std::atomic<int> communicators_with_mode;

/// That of `communicator` if it has one, else that of all. MPI_Comm_dup and MPI_Comm_idup copy it,
/// because it is an attribute.
ReductionMode mode_of(MPI_Comm communicator);

/// Whether calls of `collective` may not be the host's because of a mode, at least on some
/// communicator.
bool may_be_ours_by_mode(Collective collective);

/// Whether somebody asked for more of calls of `collective` than the host's own, on every
/// communicator. Where nobody did, a call may concern Tasuki only by its communicator's mode: other
/// ranks, which know no such communicator, do not even look at it.
bool is_asked_of_all(Collective collective);

/// Collective. Throws std::invalid_argument, on all ranks alike, where the mode is unknown, ranks
/// ask for different ones, or `communicator` is none that Tasuki acts on; then nothing has changed.
void set_mode_of(MPI_Comm communicator, std::string_view mode);

/// After MPI_Comm_set_info, by all ranks of `communicator`. Where set_mode_of() would throw, one
/// rank says why, and nothing changes.
void take_hints(MPI_Comm communicator, MPI_Info info);
/// The same of a communicator that was made with hints, which may be none on some ranks: it does
/// not inherit.
void take_hints_of_copy(MPI_Comm communicator, MPI_Info info);
/// Says once that our hint, if `info` has it, does not count in `call`.
void tell_hint_is_lost(MPI_Info info, const char* call);
/// Adds the key to what MPI_Comm_get_info gave.
void tell_hints(MPI_Comm communicator, MPI_Info info);

}  // namespace tasuki::interpose
