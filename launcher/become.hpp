#pragma once

#include <string>
#include <vector>

#include "launcher/environment.hpp"

namespace tasuki::launcher {

/// Replaces this process by `command`, whose program was found at `path`, so that its exit code and
/// signals are the program's own. Looks and falls back to a shell as execvp does, but never gives
/// an ELF file to a shell. Returns only if that fails: it has said why, and gives the exit code for
/// it.
int become(const std::string& path, const std::vector<std::string>& command,
           const Environment& environment);

}  // namespace tasuki::launcher
