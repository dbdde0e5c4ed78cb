#pragma once

#include <optional>
#include <span>
#include <vector>

#include "predict/whereabouts.hpp"
#include "schedule/placement.hpp"
#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// Which rank of a communicator runs on which node: as their systems say, as the host does where
/// these leave a doubt (whereabouts.hpp), or as TASUKI_PLACEMENT says of MPI_COMM_WORLD. Found when
/// it is asked for first, because most algorithms do without.
///
/// Cost: an all-gather of 16 bytes a rank, and a system call for each rank of the own node, which
/// tells how many cores they have (node_load.hpp); where the host is asked a split, an all-reduce
/// of 128 bytes on each node and another all-gather, which takes 1 ms (Open MPI) to 6 ms (MPICH,
/// Intel MPI) on 8 ranks that share 2 cores. What is gathered is dropped, unless the placement is
/// irregular (then 12 bytes a rank stay).
class LazyPlacement {
  public:
    /// `communicator` is one of ours, whose errors return.
    LazyPlacement(MPI_Comm communicator, int rank, int ranks)
        : communicator_(communicator), rank_(rank), ranks_(ranks) {}

    /// Why there is none where get() gives none.
    static constexpr const char* unknown =
        "the ranks could not tell each other which node they are on";
    /// nullptr, on all ranks alike, where the host fails at it. Collective at the first call.
    const Placement* get();
    /// What get() has found; nullptr where nobody has asked.
    const Placement* known() const { return found_ ? &*found_ : nullptr; }

  private:
    std::vector<std::int32_t> nodes() const;
    std::int32_t node_from_host() const;
    void note_own_node(std::span<const Whereabouts> ranks,
                       std::span<const std::int32_t> nodes) const;
    void note_own_node(std::int32_t ranks, std::int32_t cores) const;
    template <typename Value>
    std::vector<Value> gather(const Value& own) const;

    MPI_Comm communicator_;
    int rank_;
    int ranks_;
    bool is_searched_ = false;
    std::optional<Placement> found_;
};

}  // namespace tasuki::interpose
