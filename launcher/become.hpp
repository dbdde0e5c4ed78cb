#pragma once

#include <string>
#include <vector>

namespace tasuki::launcher {

/// Replaces this process by `command`, so that its exit code and signals are the program's own.
/// Returns only if that fails: it has said why, and gives the exit code for it.
int become(const std::vector<std::string>& command);

}  // namespace tasuki::launcher
