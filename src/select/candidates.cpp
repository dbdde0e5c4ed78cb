#include "select/candidates.hpp"

namespace tasuki {

CandidateSet::CandidateSet(std::string_view collective, const Instance& instance) {
    choices_.push_back({});
    for (const Algorithm& row : all_algorithms()) {
        if (row.collective != collective || !row.outside_domain(instance).empty()) continue;
        Instance with_defaults = instance;
        with_defaults.parameters = row.default_parameters();
        choices_.push_back({&row, with_defaults.parameters});
        predictors_.emplace_back(row, with_defaults);
    }
}

std::vector<Candidate> CandidateSet::candidates(std::int64_t chunk_bytes,
                                                const MachineParameters* machine) const {
    std::vector<Candidate> list;
    for (std::size_t i = 0; i < choices_.size(); ++i) {
        const bool predicted = i > 0 && machine != nullptr;
        list.push_back(
            {choices_[i].text(), predicted ? seconds(i, chunk_bytes, *machine) : unknown});
    }
    return list;
}

}  // namespace tasuki
