#pragma once

#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// The communicator that this thread has the host free. The host calls the program's functions that
/// delete attributes, which may communicate on it still, in any order with ours.
struct BeingFreed {
    MPI_Comm communicator{};    ///< {}: none
    bool is_forgotten = false;  ///< our attribute has gone, and a new one would never be deleted

    bool has_forgotten(MPI_Comm other) const { return is_forgotten && communicator == other; }
};
extern constinit thread_local BeingFreed being_freed;

/// Where a function of the program's refuses, the host tells the error handler, which may throw, or
/// jump, and never return to us: a handler of the program's is taken off `communicator` for as long
/// as it is being freed. MPI_ERRHANDLER_NULL if it has none.
MPI_Errhandler take_handler_off(MPI_Comm communicator);
/// What came of it: puts the handler back and tells it, if there is still a communicator.
void tell_handler_of(MPI_Comm communicator, MPI_Errhandler handler, int code);

/// `free()` has the host free `communicator`, and gives its code, which is returned. Not by a
/// destructor: see ReportedCall.
template <typename Free>
int while_being_freed(MPI_Comm communicator, const Free& free) {
    MPI_Errhandler handler = take_handler_off(communicator);
    const BeingFreed around = being_freed;
    being_freed = {communicator};
    const int code = free();
    being_freed = around;
    if (handler != MPI_ERRHANDLER_NULL) tell_handler_of(communicator, handler, code);
    return code;
}

}  // namespace tasuki::interpose
