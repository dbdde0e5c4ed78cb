#pragma once

namespace tasuki::interpose {

/// Takes out of LD_PRELOAD what `tasuki run` has put there, for the programs that this one starts:
/// they may be of another MPI, whose handles this library would cut, and nobody has asked for
/// Tasuki in them. Call when MPI has started: until then the program may be a script or a wrapper,
/// which starts the one that is meant.
void leave_preload_variable();

}  // namespace tasuki::interpose
