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

/// `free()`, which has the host free `communicator`. Not by a destructor: see ReportedCall.
template <typename Free>
void while_being_freed(MPI_Comm communicator, const Free& free) {
    const BeingFreed around = being_freed;
    being_freed = {communicator};
    free();
    being_freed = around;
}

}  // namespace tasuki::interpose
