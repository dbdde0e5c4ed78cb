#pragma once

#include <optional>
#include <span>
#include <vector>

#include "interpose/whereabouts.hpp"
#include "schedule/placement.hpp"
#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// Which rank of a communicator runs on which node: as their systems say (whereabouts.hpp), or as
/// TASUKI_PLACEMENT says of MPI_COMM_WORLD. Found when it is asked for first, because most
/// algorithms do without.
///
/// Cost: an all-gather of 16 bytes a rank, and a system call for each rank of the own node, which
/// tells how many cores they have (node_load.hpp); what is gathered is dropped, unless the
/// placement is irregular (then 12 bytes a rank stay).
class LazyPlacement {
  public:
    /// `communicator` is one of ours, whose errors return.
    LazyPlacement(MPI_Comm communicator, int rank, int ranks)
        : communicator_(communicator), rank_(rank), ranks_(ranks) {}

    /// nullptr, on all ranks alike, where the host fails at it. Collective at the first call.
    const Placement* get();
    /// What get() has found; nullptr where nobody has asked.
    const Placement* known() const { return found_ ? &*found_ : nullptr; }

  private:
    void find();
    std::vector<Whereabouts> gather() const;
    void note_own_node(std::span<const Whereabouts> ranks) const;

    MPI_Comm communicator_;
    int rank_;
    int ranks_;
    bool is_searched_ = false;
    std::optional<Placement> found_;
};

}  // namespace tasuki::interpose
