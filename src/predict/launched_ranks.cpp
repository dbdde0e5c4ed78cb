#include "predict/launched_ranks.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "schedule/whole_number.hpp"

namespace tasuki {

namespace {

std::string_view variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string_view() : std::string_view(value);
}

/// 0 where it is no number.
std::int32_t number(std::string_view text) {
    return std::max(0, whole_number<std::int32_t>(text).value_or(0));
}

/// Of node `node` in Slurm's list "2(x3),1": two ranks on each of three nodes, one on the next. 0
/// where it says nothing of that node.
std::int32_t ranks_of_slurm(std::string_view list, std::int32_t node) {
    while (!list.empty()) {
        const auto comma = list.find(',');
        std::string_view entry = list.substr(0, comma);
        list.remove_prefix(comma == list.npos ? list.size() : comma + 1);
        std::int32_t nodes = 1;
        if (const auto open = entry.find("(x"); open != entry.npos && entry.ends_with(')')) {
            nodes = number(entry.substr(open + 2, entry.size() - open - 3));
            entry = entry.substr(0, open);
        }
        if (node < nodes) return number(entry);
        node -= nodes;
    }
    return 0;
}

}  // namespace

std::int32_t launched_ranks_here() {
    for (const char* name : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}) {
        if (const std::int32_t ranks = number(variable(name)); ranks > 0) return ranks;
    }
    // Only processes that Slurm itself has started have a rank from it.
    if (variable("SLURM_PROCID").empty()) return 0;
    const std::int32_t node = number(variable("SLURM_NODEID"));
    for (const char* name : {"SLURM_STEP_TASKS_PER_NODE", "SLURM_TASKS_PER_NODE"}) {
        if (const std::int32_t ranks = ranks_of_slurm(variable(name), node); ranks > 0) {
            return ranks;
        }
    }
    return number(variable("SLURM_NTASKS_PER_NODE"));
}

}  // namespace tasuki
