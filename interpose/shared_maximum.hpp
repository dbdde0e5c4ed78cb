#pragma once

#include <span>

namespace tasuki::interpose {

class Communicator;

/// Makes each of `values`, by which the ranks decide, the largest that any rank has. Collective.
///
/// By memory where all of them share a node and its memory, because there the host's MPI_Allreduce
/// may cost more than everything that is to be decided: a host that waits busily takes 12 ms until
/// the last of four ranks on a core is out of it.
///
/// Throws TransportError.
void share_maximum(Communicator& communicator, std::span<double> values);

}  // namespace tasuki::interpose
