#pragma once

#include <string>
#include <vector>

#include "launcher/environment.hpp"

namespace tasuki::launcher {

/// The Python that has Tasuki's other verbs: $TASUKI_PYTHON, else the one beside the launcher in
/// `own_folder`, else python3 of PATH; "" if there is none.
std::string find_python(const std::string& own_folder, const Environment& environment);

/// Becomes `python -m tasuki words...`; returns only if that fails, with the exit code.
int run_python_verb(const std::vector<std::string>& words, const std::string& own_folder,
                    const Environment& environment);

}  // namespace tasuki::launcher
