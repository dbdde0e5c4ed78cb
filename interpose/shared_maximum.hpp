#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "execute/step_machine.hpp"
#include "interpose/lazy_placement.hpp"
#include "interpose/node_memory.hpp"
#include "transport/split_transport.hpp"

namespace tasuki::interpose {

/// Numbers that the ranks of a communicator decide by: of each the largest that any of them has.
///
/// By memory where all of them share a node and its memory, because there the host's MPI_Allreduce
/// may cost more than everything that is to be decided: a host that waits busily takes 12 ms until
/// the last of four ranks on a core is out of it.
///
/// Memory: the program of one rank, which grows with the logarithm of the number of ranks.
class SharedMaximum {
  public:
    /// `communicator` is one of ours, whose errors return.
    SharedMaximum(MPI_Comm communicator, int rank, int ranks, LazyPlacement& placement,
                  NodeMemory& memory)
        : communicator_(communicator),
          rank_(rank),
          ranks_(ranks),
          placement_(placement),
          memory_(memory) {}

    /// Collective. Throws TransportError.
    void take(std::span<double> values);

  private:
    bool is_by_memory();
    void take_by_memory(std::span<double> values);

    MPI_Comm communicator_;
    int rank_;
    int ranks_;
    LazyPlacement& placement_;
    NodeMemory& memory_;
    bool is_prepared_ = false;
    std::optional<StepMachineOn<SplitTransport>> machine_;  // where it goes by memory
};

}  // namespace tasuki::interpose
