// Whether ranks of a node share its cores.
#pragma once

#include <cstdint>
#include <span>

#include "predict/whereabouts.hpp"
#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

/// How many cores `ranks` may run on together; 0 if that cannot be told. All are on this node, in
/// the surroundings of this process. A system call for each, of 0.2 us.
std::int32_t cores_together(std::span<const Whereabouts> ranks);
/// The same of the processes of `node`, which has ranks of one node only, whatever surrounds them.
/// Collective. Throws TransportError.
std::int32_t cores_together(MPI_Comm node);

/// What this process has seen: `ranks` of a communicator are on its node, and may run on `cores`
/// together (0: not known). `are_all`: these are all ranks of the job that are here. Waits for the
/// host learn of it.
void note_node_load(std::int32_t ranks, std::int32_t cores, bool are_all);

/// Whether more ranks than cores are on this node, where at least `ranks` are, as far as this
/// process knows: by what was noted, the launcher, the cores that are online and the limits of the
/// cgroup. Not the same on all ranks.
bool node_is_crowded(std::int32_t ranks);

}  // namespace tasuki::interpose
