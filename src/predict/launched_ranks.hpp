// How many ranks share this node, as the launcher says.
#pragma once

#include <cstdint>

namespace tasuki {

/// How many ranks of the job run on this node, by what Open MPI's launcher, Hydra (MPICH, Intel
/// MPI) or Slurm has put into the environment; 0 if none has. Slurm's own variables count only
/// where no other launcher speaks: started inside of an allocation, that has its own idea of ranks.
std::int32_t launched_ranks_here();

}  // namespace tasuki
