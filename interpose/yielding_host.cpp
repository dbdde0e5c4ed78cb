#include "interpose/yielding_host.hpp"

#include <algorithm>
#include <cstdlib>
#include <sched.h>
#include <span>

#include "interpose/node_load.hpp"
#include "interpose/reduction_mode.hpp"
#include "predict/launched_ranks.hpp"

namespace tasuki::interpose {

namespace {

struct Variable {
    const char* name;
    const char* value;
};

#if defined(TASUKI_ABI_OPENMPI)

constexpr Variable variables[] = {{"OMPI_MCA_mpi_yield_when_idle", "1"}};
constexpr std::span<const char* const> other_names{};

/// Whether the cores that this rank may run on are as many as twice the ranks of its node.
bool has_cores_to_spare() {
    cpu_set_t mine;
    if (sched_getaffinity(0, sizeof mine, &mine) != 0) return true;
    return CPU_COUNT(&mine) >= 2 * std::max(1, launched_ranks_here());
}

bool host_should_yield() {
    return reduction_mode_is_asked_for() && !has_cores_to_spare();
}

#else

/// It yields after so many looks in vain; 4096 are its own default.
constexpr Variable variables[] = {{"MPIR_CVAR_CH4_PROGRESS_THROTTLE", "1"},
                                  {"MPIR_CVAR_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT", "10"}};
/// By which it reads them, too.
constexpr const char* other_names[] = {"MPIR_PARAM_CH4_PROGRESS_THROTTLE",
                                       "MPICH_CH4_PROGRESS_THROTTLE",
                                       "MPIR_PARAM_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT",
                                       "MPICH_CH4_PROGRESS_THROTTLE_NO_PROGRESS_COUNT"};

bool host_should_yield() {
    return node_is_crowded(1);
}

#endif

bool is_set(const char* name) {
    return std::getenv(name) != nullptr;
}

bool user_has_set_one() {
    return std::ranges::any_of(variables, is_set, &Variable::name) ||
           std::ranges::any_of(other_names, is_set);
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
