#include "interpose/thread_level.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "interpose/reduction_mode.hpp"
#include "transport/host/mpi_header.hpp"

namespace tasuki::interpose {

namespace {

/// Of Open MPI; of MPICH and Intel MPI.
constexpr const char* variables_of_users[] = {"OMPI_MPI_THREAD_LEVEL",
                                              "MPIR_CVAR_DEFAULT_THREAD_LEVEL"};

constinit std::atomic<int> told_level{-1};

}  // namespace

bool raises_thread_level(int required) {
    if (required >= MPI_THREAD_MULTIPLE || !reduction_mode_is_asked_for()) return false;
    return std::ranges::none_of(variables_of_users,
                                [](const char* name) { return std::getenv(name) != nullptr; });
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
