#include "select/candidates.hpp"

#include <algorithm>
#include <utility>

#include "schedule/same_steps.hpp"

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

/// Of candidates whose programs have the same steps the first is enough: on few ranks a larger
/// radix changes nothing, and with one partner all ways of an exchange are one.
class MadeBefore {
  public:
    /// On more ranks two rows differ.
    static constexpr std::int32_t most_ranks_of_few = 16;

    /// Whether an earlier one has made the same.
    bool find_or_add(const Algorithm& row, const Instance& tried) {
        Program program = row.generate(0, tried);
        const auto is_it = [&](const Made& made) {
            // Rank 0 speaks for all ranks of one row.
            return have_same_steps(made.program_of_first, program) &&
                   (made.row == &row || are_alike(*made.row, made.tried, row, tried));
        };
        if (std::ranges::any_of(made_, is_it)) return true;
        made_.push_back({&row, tried, std::move(program)});
        return false;
    }

  private:
    struct Made {
        const Algorithm* row;
        Instance tried;
        Program program_of_first;
    };
    static bool are_alike(const Algorithm& a, const Instance& of_a, const Algorithm& b,
                          const Instance& of_b) {
        if (of_a.ranks > most_ranks_of_few) return false;
        for (std::int32_t rank = 1; rank < of_a.ranks; ++rank) {
            if (!have_same_steps(a.generate(rank, of_a), b.generate(rank, of_b))) return false;
        }
        return true;
    }

    std::vector<Made> made_;
};

/// Blocks of which every rank knows only its own are sent.
std::optional<OneRound> posted_by_memory(const Algorithm& row, const Instance& instance) {
    const bool may_be = instance.ranks <= OneRound::most_ranks && instance.placement.nodes() == 1 &&
                        row.collective != "alltoallv";
    if (!may_be) return std::nullopt;
    return one_round_of(instance.ranks,
                        [&](std::int32_t rank) { return row.generate(rank, instance); });
}

/// The longest post is written, and then the most is read. Every reader may read at once.
double posted_seconds(const OneRound& round, std::int64_t chunk_bytes,
                      const LinkParameters& posts) {
    const auto receipts = static_cast<double>(round.most_receipts);
    const double received = receipts == 0 ? 0 : static_cast<double>(round.most_received) / receipts;
    const auto bytes = static_cast<std::int64_t>(received * static_cast<double>(chunk_bytes));
    return posts.latency + posts.send_overhead(round.most_posted * chunk_bytes) +
           receipts * posts.receive_overhead(bytes);
}

}  // namespace

CandidateSet::CandidateSet(std::string_view collective, const Instance& instance, bool with_memory,
                           const MayRun& may_run) {
    choices_.push_back({});
    MadeBefore made_before;
    for (const Algorithm& row : all_algorithms()) {
        if (row.collective != collective || !row.outside_domain(instance).empty()) continue;
        if (!may_run(row)) continue;
        std::vector<Parameters> sets = row.tried_parameters(instance.ranks);
        // A program may have as many steps as there are ranks: it is not made to be compared with
        // none.
        const bool may_be_alike =
            sets.size() > 1 || instance.ranks <= MadeBefore::most_ranks_of_few;
        for (Parameters& parameters : sets) {
            Instance tried = instance;
            tried.parameters = std::move(parameters);
            if (may_be_alike && made_before.find_or_add(row, tried)) continue;
            choices_.push_back({&row, tried.parameters, Carrier::host});
            parts_.push_back({{Predictor(row, tried), chunks_of(row, tried),
                               with_memory ? posted_by_memory(row, tried) : std::nullopt}});
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
            predicted.push_back(
                {Predictor(*part.row, with_defaults), part.is_cut ? std::max(1, instance.ranks) : 1,
                 with_memory ? posted_by_memory(*part.row, with_defaults) : std::nullopt});
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

double CandidateSet::seconds(std::size_t i, std::int64_t bytes,
                             const MachineParameters& machine) const {
    double sum = 0;
    for (const PredictedPart& part : parts_[(i - 1) % parts_.size()]) {
        const std::int64_t chunk_bytes = (bytes + part.chunks - 1) / part.chunks;
        const bool is_posted = choices_[i].carrier == Carrier::memory && part.posted &&
                               part.posted->is_better_posted(chunk_bytes);
        sum += is_posted ? posted_seconds(*part.posted, chunk_bytes, machine.posts)
                         : part.predictor.seconds(chunk_bytes, machine);
    }
    return sum;
}

std::vector<Candidate> CandidateSet::candidates(std::int64_t bytes,
                                                const MachineParameters* machine,
                                                const MachineParameters* with_memory) const {
    std::vector<Candidate> list;
    for (std::size_t i = 0; i < choices_.size(); ++i) {
        const bool by_host = choices_[i].carrier == Carrier::host;
        const MachineParameters* const its_machine = by_host ? machine : with_memory;
        const bool predicted = i > 0 && its_machine != nullptr;
        list.push_back(
            {choices_[i].text(), predicted ? seconds(i, bytes, *its_machine) : unknown, by_host});
    }
    return list;
}

}  // namespace tasuki
