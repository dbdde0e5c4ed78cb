#include "interpose/thread_level.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <sched.h>
#include <string_view>

#include "interpose/reduction_mode.hpp"
#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

namespace {

/// Of Open MPI; of MPICH and Intel MPI.
constexpr const char* variables_of_users[] = {"OMPI_MPI_THREAD_LEVEL",
                                              "MPIR_CVAR_DEFAULT_THREAD_LEVEL"};

constexpr char yields_of_openmpi[] = "OMPI_MCA_mpi_yield_when_idle";

constinit std::atomic<int> told_level{-1};

/// Settings are read when MPI runs; what is wrong with this one is said then.
bool mode_is_asked_for() {
    const char* mode = std::getenv("TASUKI_REPRODUCIBLE");
    return mode != nullptr &&
           (mode == name_of(ReductionMode::placement) || mode == name_of(ReductionMode::exact));
}

#if defined(TASUKI_ABI_OPENMPI)
/// Whether the cores that this rank may run on are as many as twice the ranks of its node.
bool has_cores_to_spare() {
    cpu_set_t mine;
    if (sched_getaffinity(0, sizeof mine, &mine) != 0) return true;
    const char* ranks = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    return CPU_COUNT(&mine) >= 2 * (ranks == nullptr ? 1 : std::atoi(ranks));
}
#endif

}  // namespace

bool raises_thread_level(int required) {
    if (required >= MPI_THREAD_MULTIPLE || !mode_is_asked_for()) return false;
    return std::ranges::none_of(variables_of_users,
                                [](const char* name) { return std::getenv(name) != nullptr; });
}

YieldingHost::YieldingHost() {
#if defined(TASUKI_ABI_OPENMPI)
    if (!mode_is_asked_for() || has_cores_to_spare()) return;
    if (std::getenv(yields_of_openmpi) != nullptr) return;
    is_set_ = setenv(yields_of_openmpi, "1", 1) == 0;
#endif
}

YieldingHost::~YieldingHost() {
    if (is_set_) unsetenv(yields_of_openmpi);
}

int told_of_raised(int required, int provided) {
    told_level = std::min(required, provided);
    return told_level;
}

int told_thread_level() {
    return told_level;
}

bool has_thread_multiple() {
    int level = MPI_THREAD_SINGLE;
    PMPI_Query_thread(&level);
    return level >= MPI_THREAD_MULTIPLE;
}

}  // namespace tasuki::interpose
