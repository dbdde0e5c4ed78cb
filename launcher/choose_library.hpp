#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "launcher/environment.hpp"
#include "launcher/job.hpp"
#include "launcher/program.hpp"

namespace tasuki::launcher {

/// What is to be loaded before the program's own libraries.
struct Choice {
    std::vector<std::string> preload;  ///< empty: the program runs without Tasuki
    std::string reason;                ///< why so, in both cases
    /// Where the program runs without: it is for a reason that all ranks of the job share.
    bool same_for_all = false;
};

/// Decides by the program's linkage, or, where it loads its MPI late, by the job around it.
/// TASUKI_MPI and TASUKI_MPI_LIBRARY override the job. `library_folders` may hold Tasuki's own
/// libraries. Throws UsageError for settings that cannot hold.
Choice choose_library(const LoadedFile& program, const Environment& environment, const Job& job,
                      const std::vector<std::string>& library_folders);

/// The value for LD_PRELOAD: `first`, then what `before`, its old value, lists beyond them.
std::string preload_value(const std::vector<std::string>& first, std::string_view before);

}  // namespace tasuki::launcher
