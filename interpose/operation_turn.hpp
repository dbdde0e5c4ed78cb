#pragma once

#include <mutex>

namespace tasuki::interpose {

/// While it lives, no other thread runs an operation of the program's by us. Threads of ours reduce
/// beside the program's, which may be the only one that it has: its operations need not bear to run
/// twice at once, as Fortran's do not that keep arrays between calls.
///
/// Recursive, because what an operation calls is its own affair.
class OperationTurn {
  public:
    OperationTurn() : lock_(mutex()) {}

  private:
    /// Never destroyed: a process may end while threads of ours run.
    static std::recursive_mutex& mutex() {
        static auto& made = *new std::recursive_mutex;
        return made;
    }

    std::lock_guard<std::recursive_mutex> lock_;
};

}  // namespace tasuki::interpose
