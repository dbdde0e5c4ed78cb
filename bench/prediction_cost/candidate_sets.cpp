#include "candidate_sets.hpp"

#include <algorithm>
#include <string_view>

#include "../common/report.hpp"
#include "predict/kept_parameters.hpp"
#include "select/candidates.hpp"

namespace tasuki {

namespace {

constexpr std::int64_t bytes_of_key = 4096;

/// What calls of one size for all blocks can run by.
bool may_run(const Algorithm& row) {
    return !row.needs_capacity || row.collective == "alltoallv";
}

SetCost cost_of(std::string_view collective, const Instance& instance, int repetitions) {
    const MachineParameters& machine = built_in_parameters("", false);
    const MachineParameters with_memory = with_memory_inside(machine, false);
    SetCost cost{std::string(collective), "", 0, {}, {}};
    std::vector<double> making, predicting;
    for (int i = 0; i < repetitions; ++i) {
        const double start = cpu_seconds();
        const CandidateSet set(collective, instance, true, may_run);
        const double made = cpu_seconds();
        cost.candidates = set.candidates(bytes_of_key, &machine, &with_memory).size();
        predicting.push_back(cpu_seconds() - made);
        making.push_back(made - start);
    }
    cost.making = quartiles_of(std::move(making));
    cost.predicting = quartiles_of(std::move(predicting));
    return cost;
}

}  // namespace

std::vector<SetCost> costs_of_sets(const Instance& instance, const std::string& placement,
                                   int repetitions) {
    std::vector<std::string_view> collectives;
    for (const Algorithm& row : all_algorithms()) {
        if (std::ranges::find(collectives, row.collective) == collectives.end()) {
            collectives.push_back(row.collective);
        }
    }
    std::vector<SetCost> costs;
    for (const std::string_view collective : collectives) {
        costs.push_back(cost_of(collective, instance, repetitions));
        costs.back().placement = placement;
    }
    return costs;
}

}  // namespace tasuki
