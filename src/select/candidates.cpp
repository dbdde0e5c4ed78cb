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

CandidateSet::CandidateSet(std::string_view collective, const Instance& instance,
                           const MayRun& may_run) {
    choices_.push_back({});
    for (const Algorithm& row : all_algorithms()) {
        if (row.collective != collective || !row.outside_domain(instance).empty()) continue;
        if (!may_run(row)) continue;
        Instance with_defaults = instance;
        with_defaults.parameters = row.default_parameters();
        choices_.push_back({&row, with_defaults.parameters});
        predictors_.emplace_back(row, with_defaults);
        chunks_.push_back(chunks_of(row, with_defaults));
    }
}

std::vector<Candidate> CandidateSet::candidates(std::int64_t bytes,
                                                const MachineParameters* machine) const {
    std::vector<Candidate> list;
    for (std::size_t i = 0; i < choices_.size(); ++i) {
        const bool predicted = i > 0 && machine != nullptr;
        list.push_back({choices_[i].text(), predicted ? seconds(i, bytes, *machine) : unknown});
    }
    return list;
}

}  // namespace tasuki
