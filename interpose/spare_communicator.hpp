#pragma once

#include <cstdint>
#include <memory>

#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

class Communicator;

/// What the ranks of a communicator call one of ours; 0: none.
using CommunicatorNumber = std::uint64_t;

/// One that all ranks of `communicator` get alike, by chance no other communicator's of this run:
/// rank 0 draws it. `failed`: whether some rank has none of ours; then it is 0. Collective.
CommunicatorNumber agreed_number(MPI_Comm communicator, int rank, bool failed);

/// Keeps the last communicator of ours whose program's has gone, if it has the ranks of
/// MPI_COMM_WORLD in their order, for the next one that has: libraries make and free such copies,
/// and to make ours anew takes as long as some hundred short calls.
///
/// One, and only of those ranks, so that all ranks keep and give back the same. With
/// MPI_THREAD_MULTIPLE none: threads may free communicators in another order on each rank.
///
/// Memory: that of a Communicator.
class SpareCommunicator {
  public:
    /// Of one whose program's communicator goes.
    bool may_keep(const Communicator& communicator) const;
    void keep(std::unique_ptr<Communicator> communicator);

    /// What one for `parent` is called here; 0 if there is none. The ranks may differ: one of them
    /// may have seen it fail.
    CommunicatorNumber number_for(MPI_Comm parent) const;
    /// Whether the program's communicator that the one kept served had many calls.
    bool has_served_long() const;
    /// Once all ranks know that they have the same.
    std::unique_ptr<Communicator> take();
    /// At MPI_Finalize.
    void drop();

  private:
    std::unique_ptr<Communicator> kept_;
};

/// Outlives the process: where MPI_Finalize is not called, nothing may be freed.
SpareCommunicator& spare_communicator();

}  // namespace tasuki::interpose
