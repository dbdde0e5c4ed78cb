#include "interpose/foreknowledge.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <numeric>
#include <tuple>
#include <utility>

#include "interpose/library_version.hpp"
#include "interpose/maximum_of_all.hpp"
#include "interpose/process.hpp"
#include "interpose/ranks_here.hpp"
#include "interpose/say.hpp"
#include "predict/kept_parameters.hpp"
#include "predict/machine_text.hpp"
#include "select/decision_file.hpp"
#include "select/digest.hpp"
#include "transport/host/check.hpp"

namespace tasuki::interpose {

namespace {

/// Without the numbers of ranks, which are part of every key.
std::string fingerprint_of_decisions(const Fingerprint& run) {
    return run.library + " | " + run.node + " | " + std::to_string(run.cores) + " cores | " +
           run.fabric + " fabric";
}

Foreknowledge look_up(const Placement& placement) {
    Foreknowledge found;
    Fingerprint run = fingerprint_of_run(library_version(), placement);
    run.ranks_per_node = std::max(run.ranks_per_node, ranks_here());
    found.oversubscribed = run.oversubscribed();
    FoundParameters parameters = find_parameters(run);
    for (const std::string& message : parameters.messages) say_once(message);
    found.machine = std::move(parameters.machine);
    const std::string fingerprint = fingerprint_of_decisions(run);
    if (process().settings.keeps_decisions) {
        DecisionFileResult kept = load_decisions(decision_path(fingerprint), fingerprint);
        if (!kept.message.empty()) say_once(kept.message);
        if (kept.book) found.kept = std::move(*kept.book);
    }
    found.kept.fingerprint = fingerprint;
    return found;
}

using Shape = std::pair<std::int32_t, std::int32_t>;

/// What one rank 0 tells, or has told this rank.
struct Told {
    std::shared_ptr<const Foreknowledge> known;
    std::uint64_t digest = 0;  // of its texts; 0: nothing yet
};

std::mutex mutex;                  // guards both
std::map<Shape, Told> looked_up;   // as rank 0 of some communicator
std::map<Shape, Told> last_heard;  // as another rank

using Texts = std::array<std::string, 3>;

/// Gives every rank the texts that rank 0 has.
void broadcast(Texts& texts, MPI_Comm communicator, int rank) {
    std::array<int, std::tuple_size_v<Texts>> sizes{};
    std::string all;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        sizes[i] = static_cast<int>(texts[i].size());
        all += texts[i];
    }
    host::check(PMPI_Bcast(sizes.data(), static_cast<int>(sizes.size()), MPI_INT, 0, communicator));
    if (rank != 0) all.resize(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}));
    host::check(PMPI_Bcast(all.data(), static_cast<int>(all.size()), MPI_CHAR, 0, communicator));
    std::size_t begin = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        texts[i] = all.substr(begin, static_cast<std::size_t>(sizes[i]));
        begin += static_cast<std::size_t>(sizes[i]);
    }
}

Texts texts_of(const Foreknowledge& known) {
    return {machine_text(known.machine), decisions_text(known.kept),
            known.oversubscribed ? "yes" : "no"};
}

Told told_by(const Texts& texts, Foreknowledge known) {
    known.with_memory = with_memory_inside(known.machine, known.oversubscribed);
    Digest digest;
    for (const std::string& text : texts) digest.add(text);
    return {std::make_shared<const Foreknowledge>(std::move(known)), digest.value()};
}

Told read(const Texts& texts) {
    Foreknowledge known;
    known.machine = read_machine(texts[0]);
    known.kept = read_decisions(texts[1]);
    known.oversubscribed = texts[2] == "yes";
    return told_by(texts, std::move(known));
}

/// Files are read once for each shape of communicators, not for each communicator.
Told told_by_this_rank(const Shape& shape, const Placement& placement) {
    const std::lock_guard lock(mutex);
    Told& told = looked_up[shape];
    if (told.known == nullptr) {
        Foreknowledge found = look_up(placement);
        const Texts texts = texts_of(found);
        told = told_by(texts, std::move(found));
    }
    return told;
}

Told heard_before(const Shape& shape) {
    const std::lock_guard lock(mutex);
    return last_heard[shape];
}

/// Which communicators a rank has used before is its own affair, and threads may have used them in
/// any order; so the ranks agree on whether all have the same.
bool all_have(std::uint64_t digest, MPI_Comm communicator) {
    std::array<int, 4> shared = to_compare(digest);
    host::check(maximum_of_all(communicator, shared));
    return are_alike(shared);
}

}  // namespace

std::shared_ptr<const Foreknowledge> Foreknowledge::of(MPI_Comm communicator, int rank,
                                                       const Placement& placement) {
    const Shape shape(placement.nodes(), placement.most_ranks_on_a_node());
    Told told = rank == 0 ? told_by_this_rank(shape, placement) : heard_before(shape);
    if (all_have(told.digest, communicator)) return told.known;
    Texts texts;
    if (rank == 0) texts = texts_of(*told.known);
    broadcast(texts, communicator, rank);
    if (rank == 0) return told.known;
    told = read(texts);
    const std::lock_guard lock(mutex);
    last_heard[shape] = told;
    return told.known;
}

std::shared_ptr<const CandidateSet> candidates_of(Collective collective, const RowFilter& rows,
                                                  const Placement& placement, bool with_memory) {
    using Shape = std::tuple<Collective, const RowFilter*, std::string, bool>;
    static std::mutex mutex;
    static std::map<Shape, std::shared_ptr<const CandidateSet>> made;
    const std::lock_guard lock(mutex);
    const std::string text = std::to_string(placement.ranks()) + " " + placement.text();
    auto& set = made[{collective, &rows, text, with_memory}];
    if (set == nullptr) {
        const auto name = collective_names[static_cast<std::size_t>(collective)];
        const auto may_run = [&](const Algorithm& row) {
            return rows.why_not(row, placement.ranks()) == nullptr;
        };
        const Instance instance{placement.ranks(), 0, {}, placement};
        set = rows.beside_table != nullptr
                  ? std::make_shared<CandidateSet>(rows.beside_table(), name, instance, with_memory,
                                                   may_run)
                  : std::make_shared<CandidateSet>(name, instance, with_memory, may_run);
    }
    return set;
}

}  // namespace tasuki::interpose
