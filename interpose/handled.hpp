#pragma once

namespace tasuki::interpose {

/// Whether Tasuki did a call, and what it returns then. Otherwise the host MPI gets the call as it
/// came.
struct Handled {
    bool done = false;
    int code = 0;
    /// Where the host gets it: its handler has left something for after_host().
    bool is_watched = false;
};

}  // namespace tasuki::interpose
