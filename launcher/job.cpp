#include "launcher/job.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace tasuki::launcher {

namespace {

/// mpirun, its daemon, slurmstepd and some wrapper scripts lie between; not much more.
constexpr int most_ancestors = 12;

constexpr std::array<std::pair<std::string_view, Abi>, 6> variables_of_launchers = {{
    {"OMPI_COMM_WORLD_RANK", Abi::openmpi},
    {"OMPI_COMM_WORLD_SIZE", Abi::openmpi},
    {"HYDI_CONTROL_FD", Abi::mpich},
    {"HYDRA_CONTROL_FD", Abi::mpich},
    {"MPI_LOCALNRANKS", Abi::mpich},
    {"I_MPI_MPIRUN", Abi::mpich},
}};

/// Those that say only that this is a rank: srun --mpi=pmi2 and --mpi=pmix set them whatever MPI
/// the program has.
constexpr std::array<std::string_view, 5> variables_of_any_mpi = {"PMI_RANK", "PMI_FD", "PMI_PORT",
                                                                  "PMIX_RANK", "PMIX_NAMESPACE"};

constexpr std::array<std::pair<std::string_view, Abi>, 9> launcher_names = {{
    {"prterun", Abi::openmpi},
    {"prted", Abi::openmpi},
    {"prte", Abi::openmpi},
    {"orted", Abi::openmpi},
    {"orterun", Abi::openmpi},
    {"hydra_pmi_proxy", Abi::mpich},
    {"hydra_bstrap_proxy", Abi::mpich},
    {"mpiexec.hydra", Abi::mpich},
    {"mpiexec.gforker", Abi::mpich},
}};

std::string first_of(Abi abi, const std::vector<std::string>& folders) {
    for (const std::string& soname : sonames_of(abi)) {
        if (std::string path = find_in(folders, soname); !path.empty()) return path;
    }
    return "";
}

/// The folders of an MPI's libraries, by the folder that its bin/ lies in.
std::vector<std::string> library_folders(const std::string& prefix) {
    return {prefix + "/lib", prefix + "/lib64", prefix + "/lib/" + std::string(multiarch),
            prefix + "/lib/release"};
}

std::string executable_of(pid_t process) {
    std::error_code error;
    const auto path =
        std::filesystem::read_symlink("/proc/" + std::to_string(process) + "/exe", error);
    return error ? "" : path.string();
}

/// The parent of a process by /proc/PID/stat, which everyone may read; 0 if there is none.
pid_t parent_of(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::getline(file, text);
    // The name in brackets may hold anything, brackets too: what follows the last one counts.
    const std::size_t end = text.rfind(") ");
    if (end == std::string::npos || text.size() < end + 4) return 0;
    return static_cast<pid_t>(std::strtol(text.c_str() + end + 4, nullptr, 10));
}

}  // namespace

Job find_job(const Environment& environment, const std::vector<std::string>& ancestors) {
    Job job;
    for (const auto& [variable, abi] : variables_of_launchers) {
        if (!is_set(environment, variable)) continue;
        job.abi = abi;
        break;
    }
    for (const std::string_view variable : variables_of_any_mpi) {
        if (job.variable.empty() && is_set(environment, variable)) job.variable = variable;
    }
    // Without any of them MPI would start alone too: what stands above is some other job's.
    if (!job.abi && job.variable.empty()) return job;
    for (const std::string& ancestor : ancestors) {
        const std::string name = std::filesystem::path(ancestor).filename().string();
        for (const auto& [launcher, abi] : launcher_names) {
            if (name != launcher) continue;
            // The nearest launcher is surer than variables, which an outer job may have left.
            job.abi = abi;
            job.launcher = ancestor;
            return job;
        }
    }
    return job;
}

std::vector<std::string> own_ancestors() {
    std::vector<std::string> executables;
    pid_t process = getppid();
    for (int i = 0; i < most_ancestors && process > 1; ++i) {
        if (std::string path = executable_of(process); !path.empty()) {
            executables.push_back(std::move(path));
        }
        process = parent_of(process);
    }
    return executables;
}

std::string late_library(Abi abi, const Job& job, const Environment& environment,
                         const LibrarySearch& search) {
    const std::string intel(value_of(environment, "I_MPI_ROOT"));
    const bool started_by_intel = is_set(environment, "I_MPI_MPIRUN");
    std::vector<std::string> folders;
    const auto add_prefix = [&folders](const std::string& prefix) {
        for (std::string& folder : library_folders(prefix)) folders.push_back(std::move(folder));
    };
    for (const std::string& soname : sonames_of(abi)) {
        if (std::string path = search.find_by_user(soname); !path.empty()) return path;
    }
    // Intel's mpirun may have taken another MPI's Hydra from PATH: its own root says more.
    if (started_by_intel && !intel.empty()) add_prefix(intel);
    if (!job.launcher.empty()) {
        add_prefix(std::filesystem::path(job.launcher).parent_path().parent_path().string());
    }
    if (abi == Abi::mpich && !intel.empty()) add_prefix(intel);
    if (std::string path = first_of(abi, folders); !path.empty()) return path;
    for (const std::string& soname : sonames_of(abi)) {
        if (std::string path = search.find_by_system(soname); !path.empty()) return path;
    }
    return "";
}

}  // namespace tasuki::launcher
