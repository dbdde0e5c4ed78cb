#include "select/candidates.hpp"

#include <algorithm>

namespace tasuki {

namespace {

/// Into how many chunks a row cuts the bytes of a key.
std::int64_t chunks_of(const Algorithm& row, const Instance& instance) {
    for (const std::string_view block_is_known : {"alltoall", "gather", "scatter", "barrier"}) {
        if (row.collective == block_is_known) return 1;
    }
    for (const std::string_view all_blocks : {"allgather", "reduce-scatter", "alltoallv"}) {
        if (row.collective == all_blocks) return instance.ranks;
    }
    // One vector, cut as the row likes; rank 0 is the root.
    return std::max(1, row.generate(0, instance).input_chunks);
}

}  // namespace

CandidateSet::CandidateSet(std::string_view collective, const Instance& instance, bool with_memory,
                           const MayRun& may_run) {
    choices_.push_back({});
    for (const Algorithm& row : all_algorithms()) {
        if (row.collective != collective || !row.outside_domain(instance).empty()) continue;
        if (!may_run(row)) continue;
        Instance with_defaults = instance;
        with_defaults.parameters = row.default_parameters();
        choices_.push_back({&row, with_defaults.parameters, Carrier::host});
        predictors_.emplace_back(row, with_defaults);
        chunks_.push_back(chunks_of(row, with_defaults));
    }
    for (std::size_t i = 1; with_memory && i <= predictors_.size(); ++i) {
        choices_.push_back({choices_[i].algorithm, choices_[i].parameters, Carrier::memory});
    }
}

std::vector<Candidate> CandidateSet::candidates(std::int64_t bytes,
                                                const MachineParameters* machine,
                                                const MachineParameters* with_memory) const {
    std::vector<Candidate> list;
    for (std::size_t i = 0; i < choices_.size(); ++i) {
        const MachineParameters* const its_machine =
            choices_[i].carrier == Carrier::memory ? with_memory : machine;
        const bool predicted = i > 0 && its_machine != nullptr;
        list.push_back({choices_[i].text(), predicted ? seconds(i, bytes, *its_machine) : unknown});
    }
    return list;
}

}  // namespace tasuki
