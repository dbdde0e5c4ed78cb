#pragma once

namespace tasuki::interpose {

/// Whether Tasuki did a call, and what it returns then. Otherwise the host MPI gets the call as it
/// came.
struct Handled {
    bool done = false;
    int code = 0;
    /// Where the host gets it: after_host() is to be called when it has returned.
    bool is_watched = false;
};

}  // namespace tasuki::interpose
