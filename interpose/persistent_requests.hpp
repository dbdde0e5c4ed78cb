// Which requests of the program's are persistent reductions of ours.
#pragma once

#include <atomic>
#include <memory>

#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

class PersistentReduction;

/// Those that the program has now.
extern constinit std::atomic<int> persistent_requests_alive;
inline int persistent_requests() {
    return persistent_requests_alive.load(std::memory_order_relaxed);
}
/// The one branch that MPI_Start and its like cost otherwise.
inline bool has_persistent_requests() {
    return __builtin_expect(persistent_requests() != 0, 0);
}

/// Makes its request known. Memory: an entry for each.
void note_persistent(std::shared_ptr<PersistentReduction> reduction);
/// nullptr where `request` is none of ours.
std::shared_ptr<PersistentReduction> find_persistent(MPI_Request request);

/// The same, and it is not known any more: the program frees the request.
std::shared_ptr<PersistentReduction> take_persistent(MPI_Request request);
/// Before MPI_Finalize, and before the threads of what the program has left are ended, as all are.
void forget_all_persistent();

}  // namespace tasuki::interpose
