#pragma once

#include <string>
#include <vector>

namespace tasuki::launcher {

/// `tasuki run`: `words` are what follows "run", `own_folder` is where the launcher lies. Becomes
/// the program; returns only if that fails, with the exit code. Throws UsageError.
int run(const std::vector<std::string>& words, const std::string& own_folder);

}  // namespace tasuki::launcher
