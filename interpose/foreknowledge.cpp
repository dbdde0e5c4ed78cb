#include "interpose/foreknowledge.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "interpose/library_version.hpp"
#include "interpose/maximum_of_all.hpp"
#include "interpose/node_load.hpp"
#include "interpose/own_arithmetic.hpp"
#include "interpose/process.hpp"
#include "interpose/run_decisions.hpp"
#include "interpose/say.hpp"
#include "predict/kept_parameters.hpp"
#include "predict/launched_ranks.hpp"
#include "predict/machine_text.hpp"
#include "predict/parameter_source.hpp"
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

Foreknowledge look_up(const Placement& placement, bool oversubscribed) {
    Foreknowledge found;
    Fingerprint run = fingerprint_of_run(library_version(), placement);
    run.ranks_per_node = std::max(run.ranks_per_node, launched_ranks_here());
    found.oversubscribed = oversubscribed;
    FoundParameters parameters = find_parameters(run, oversubscribed);
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

/// What one rank 0 has looked up, or has told this rank.
struct LookedUp {
    std::shared_ptr<const Foreknowledge> known;
    std::uint64_t digest = 0;  // of its texts; 0: nothing yet
};

std::mutex mutex;                                      // guards all of these
std::map<std::pair<Shape, bool>, LookedUp> looked_up;  // as rank 0, and whether cores are shared
std::map<Shape, LookedUp> last_heard;                  // as another rank
/// What was measured in this run where ranks do not share cores, and where they do.
std::array<std::optional<QuickTimes>, 2> quick;

using Texts = std::array<std::string, 3>;

/// Gives every rank the texts that rank 0 has.
void broadcast(std::span<std::string> texts, MPI_Comm communicator, int rank) {
    std::vector<int> sizes(texts.size());
    std::string all;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        sizes[i] = static_cast<int>(texts[i].size());
        all += texts[i];
    }
    host::check(PMPI_Bcast(sizes.data(), static_cast<int>(sizes.size()), MPI_INT, 0, communicator));
    if (rank != 0) all.resize(std::accumulate(sizes.begin(), sizes.end(), std::size_t{0}));
    // In pieces that hosts send without process_vm_readv: where the system denies that, MPICH ends
    // the program at the first message that is larger, of which the program may have none.
    constexpr std::size_t most = 2048;
    for (std::size_t begin = 0; begin < all.size(); begin += most) {
        const auto size = static_cast<int>(std::min(most, all.size() - begin));
        host::check(PMPI_Bcast(all.data() + begin, size, MPI_CHAR, 0, communicator));
    }
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

LookedUp told_by(const Texts& texts, Foreknowledge known) {
    known.with_memory = with_memory_inside(known.machine, known.oversubscribed);
    Digest digest;
    for (const std::string& text : texts) digest.add(text);
    return {std::make_shared<const Foreknowledge>(std::move(known)), digest.value()};
}

LookedUp read(const Texts& texts) {
    const OwnArithmetic own;
    Foreknowledge known;
    known.machine = read_machine(texts[0]);
    known.kept = read_decisions(texts[1]);
    known.oversubscribed = texts[2] == "yes";
    return told_by(texts, std::move(known));
}

/// With what was measured in this run, if nothing else was. `mutex` is held.
void use_quick(LookedUp& told) {
    if (source_of(told.known->machine) != ParameterSource::built_in) return;
    const auto& times = quick[told.known->oversubscribed ? 1 : 0];
    if (!times) return;
    Foreknowledge scaled = *told.known;
    scaled.machine = scaled_by(*times, scaled.machine);
    const Texts texts = texts_of(scaled);
    told = told_by(texts, std::move(scaled));
}

/// Files are read once for each shape of communicators, not for each communicator.
LookedUp told_by_this_rank(const Shape& shape, const Placement& placement, bool oversubscribed) {
    const OwnArithmetic own;
    const std::lock_guard lock(mutex);
    LookedUp& told = looked_up[{shape, oversubscribed}];
    if (told.known == nullptr) {
        Foreknowledge found = look_up(placement, oversubscribed);
        const Texts texts = texts_of(found);
        told = told_by(texts, std::move(found));
        use_quick(told);
    }
    return told;
}

LookedUp heard_before(const Shape& shape) {
    const std::lock_guard lock(mutex);
    return last_heard[shape];
}

/// What the ranks of a communicator find that they have in common. Which communicators a rank has
/// used before is its own affair, and threads may have used them in any order; and what is seen of
/// a node is seen there.
struct Common {
    bool oversubscribed = false;  ///< some node is
    bool foreknowledge = false;   ///< all have the same,
    bool decisions = false;       ///< and of this run
};

Common compare(bool is_crowded, const LookedUp& mine, const RunDecisions& decisions,
               MPI_Comm communicator) {
    std::array<int, 9> shared{};
    shared[0] = is_crowded;
    std::ranges::copy(to_compare(mine.digest), shared.begin() + 1);
    std::ranges::copy(to_compare(decisions.digest), shared.begin() + 5);
    host::check(maximum_of_all(communicator, shared));
    const std::span all(shared);
    Common common;
    common.oversubscribed = shared[0] != 0;
    common.foreknowledge = are_alike(all.subspan<1, 4>());
    common.decisions = are_alike(all.subspan<5, 4>());
    return common;
}

std::shared_ptr<const Foreknowledge> hear(const Shape& shape, const LookedUp& mine,
                                          MPI_Comm communicator, int rank) {
    Texts texts;
    if (rank == 0) texts = texts_of(*mine.known);
    broadcast(texts, communicator, rank);
    if (rank == 0) return mine.known;
    LookedUp told = read(texts);
    const std::lock_guard lock(mutex);
    last_heard[shape] = told;
    return told.known;
}

std::shared_ptr<const DecisionBook> hear_of_run(const RunDecisions& mine, MPI_Comm communicator,
                                                int rank) {
    std::array<std::string, 1> text;
    if (rank == 0 && mine.book != nullptr) text[0] = decisions_text(*mine.book);
    broadcast(text, communicator, rank);
    if (rank == 0 || text[0].empty()) return rank == 0 ? mine.book : nullptr;
    auto told = std::make_shared<const DecisionBook>(read_decisions(text[0]));
    note_decisions(*told);
    return told;
}

}  // namespace

Foreknowledge::Told Foreknowledge::of(MPI_Comm communicator, int rank, const Placement& placement) {
    const Shape shape(placement.nodes(), placement.most_ranks_on_a_node());
    const bool is_crowded = node_is_crowded(placement.ranks_on(placement.node_of(rank)));
    LookedUp mine =
        rank == 0 ? told_by_this_rank(shape, placement, is_crowded) : heard_before(shape);
    const RunDecisions decisions = decisions_of_run(placement);
    const Common common = compare(is_crowded, mine, decisions, communicator);
    Told told;
    // What all have is about the same state of the nodes, on all of them.
    if (common.foreknowledge && mine.known->oversubscribed == common.oversubscribed) {
        told.known = std::move(mine.known);
    } else {
        if (rank == 0) mine = told_by_this_rank(shape, placement, common.oversubscribed);
        told.known = hear(shape, mine, communicator, rank);
    }
    told.of_run = common.decisions ? decisions.book : hear_of_run(decisions, communicator, rank);
    return told;
}

const Decision* Foreknowledge::Told::decision(const SelectionKey& key) const {
    for (const DecisionBook* book : {of_run.get(), &known->kept}) {
        if (book == nullptr) continue;
        const auto found = book->decisions.find(key);
        if (found != book->decisions.end()) return &found->second;
    }
    return nullptr;
}

std::shared_ptr<const Foreknowledge> Foreknowledge::with_quick(const Foreknowledge& known,
                                                               const QuickTimes& times) {
    Foreknowledge scaled = known;
    scaled.machine = scaled_by(times, known.machine);
    const Texts texts = texts_of(scaled);
    std::shared_ptr<const Foreknowledge> here = told_by(texts, std::move(scaled)).known;
    const std::lock_guard lock(mutex);
    auto& first = quick[known.oversubscribed ? 1 : 0];
    if (!first) {
        first = times;
        const auto renew = [](auto& shapes) {
            for (auto& [shape, told] : shapes) {
                if (told.known != nullptr) use_quick(told);
            }
        };
        renew(looked_up);
        renew(last_heard);
    }
    return here;
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
