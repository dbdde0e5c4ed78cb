#include "select/candidates.hpp"

#include <algorithm>
#include <utility>

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

/// `instance` with each of the parameters that are tried, but of those that make the same programs
/// the first: on few ranks a larger radix changes nothing. Rank 0 speaks for all.
std::vector<Instance> tried_instances(const Algorithm& row, const Instance& instance) {
    std::vector<Instance> list;
    std::vector<Program> programs;
    std::vector<Parameters> sets = row.tried_parameters(instance.ranks);
    // A program may have as many steps as there are ranks: it is not made to be compared with none.
    const bool may_be_alike = sets.size() > 1;
    for (Parameters& parameters : sets) {
        Instance tried = instance;
        tried.parameters = std::move(parameters);
        if (may_be_alike) {
            Program program = row.generate(0, tried);
            if (std::find(programs.begin(), programs.end(), program) != programs.end()) continue;
            programs.push_back(std::move(program));
        }
        list.push_back(std::move(tried));
    }
    return list;
}

}  // namespace

CandidateSet::CandidateSet(std::string_view collective, const Instance& instance, bool with_memory,
                           const MayRun& may_run) {
    choices_.push_back({});
    for (const Algorithm& row : all_algorithms()) {
        if (row.collective != collective || !row.outside_domain(instance).empty()) continue;
        if (!may_run(row)) continue;
        for (const Instance& tried : tried_instances(row, instance)) {
            choices_.push_back({&row, tried.parameters, Carrier::host});
            parts_.push_back({{Predictor(row, tried), chunks_of(row, tried)}});
        }
    }
    if (with_memory) add_with_memory();
}

CandidateSet::CandidateSet(std::span<const CompositeRow> rows, std::string_view collective,
                           const Instance& instance, bool with_memory, const MayRun& may_run) {
    choices_.push_back({});
    for (const CompositeRow& composite : rows) {
        if (composite.row.collective != collective || !may_run(composite.row)) continue;
        choices_.push_back({&composite.row, {}, Carrier::host});
        auto& predicted = parts_.emplace_back();
        for (const CompositeRow::Part& part : composite.parts) {
            Instance with_defaults = instance;
            with_defaults.parameters = part.row->default_parameters();
            predicted.push_back({Predictor(*part.row, with_defaults),
                                 part.is_cut ? std::max(1, instance.ranks) : 1});
        }
    }
    if (with_memory) add_with_memory();
}

void CandidateSet::add_with_memory() {
    const std::size_t by_host = choices_.size();
    for (std::size_t i = 1; i < by_host; ++i) {
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
