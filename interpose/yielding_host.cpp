#include "interpose/yielding_host.hpp"

#include <cstdlib>
#include <sched.h>
#include <span>

#include "interpose/node_load.hpp"
#include "interpose/reduction_mode.hpp"

namespace tasuki::interpose {

namespace {

struct Variable {
    const char* name;
    const char* value;
};

#if defined(TASUKI_ABI_OPENMPI)

constexpr Variable variables[] = {{"OMPI_MCA_mpi_yield_when_idle", "1"}};
constexpr std::span<const char* const> of_users{};

/// Whether the cores that this rank may run on are as many as twice the ranks of its node.
bool has_cores_to_spare() {
    cpu_set_t mine;
    if (sched_getaffinity(0, sizeof mine, &mine) != 0) return true;
    const char* ranks = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    return CPU_COUNT(&mine) >= 2 * (ranks == nullptr ? 1 : std::atoi(ranks));
}

bool host_should_yield() {
    return reduction_mode_is_asked_for() && !has_cores_to_spare();
}

#else

/// It yields after so many looks in vain; 4096 are its own default.
constexpr Variable variables[] = {{"MPIR_CVAR_CH4_PROGRESS_THROTTLE", "1"},
                                  {"MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT", "10"}};
/// Other names of them that it reads.
constexpr const char* of_users[] = {"MPIR_PARAM_CH4_PROGRESS_THROTTLE",
                                    "MPICH_CH4_PROGRESS_THROTTLE",
                                    "MPIR_PARAM_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT",
                                    "MPICH_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT"};

bool host_should_yield() {
    return node_is_crowded(1);
}

#endif

bool user_has_set_one() {
    for (const Variable& variable : variables) {
        if (std::getenv(variable.name) != nullptr) return true;
    }
    for (const char* name : of_users) {
        if (std::getenv(name) != nullptr) return true;
    }
    return false;
}

}  // namespace

YieldingHost::YieldingHost() {
    if (user_has_set_one() || !host_should_yield()) return;
    for (const Variable& variable : variables) setenv(variable.name, variable.value, 1);
    is_set_ = true;
}

YieldingHost::~YieldingHost() {
    if (!is_set_) return;
    for (const Variable& variable : variables) unsetenv(variable.name);
}

}  // namespace tasuki::interpose
