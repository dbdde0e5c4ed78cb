#pragma once

#include <cstddef>
#include <span>

namespace tasuki::interpose {

class Communicator;

/// What the ranks decide by: makes each of the last `maxima` of `values` the largest that any rank
/// has, and each of the others, which are seconds, the mean over the ranks. Collective. All ranks
/// get the same bits: seconds are added as whole numbers, whose sum does not depend on the order.
///
/// By memory where all of them share a node and its memory, because there the host's MPI_Allreduce
/// may cost more than everything that is to be decided: a host that waits busily takes 12 ms until
/// the last of four ranks on a core is out of it.
///
/// Throws TransportError.
void share_timings(Communicator& communicator, std::span<double> values, std::size_t maxima);

}  // namespace tasuki::interpose
