#include "interpose/known_candidates.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "interpose/communicator.hpp"
#include "interpose/foreknowledge.hpp"
#include "interpose/own_arithmetic.hpp"

namespace tasuki::interpose {

namespace {

/// Whether ranks may send in call after call and wait for nobody: roots, and those who only send to
/// them.
bool lets_ranks_run_ahead(Collective collective) {
    switch (collective) {
        case Collective::bcast:
        case Collective::reduce:
        case Collective::scan:
        case Collective::exscan:
        case Collective::gather:
        case Collective::scatter:
            return true;
        default:
            return false;
    }
}

/// The host's own, or what stands in for it, by memory if there is some.
std::size_t first_of(const CandidateSet& set, Communicator& communicator, Collective collective,
                     const RowFilter& rows, std::int64_t bytes) {
    if (rows.instead_of_host == nullptr) return 0;
    const Carrier carrier =
        communicator.memory().get() != nullptr ? Carrier::memory : Carrier::host;
    const Choice& usual = *rows.instead_of_host(collective, communicator.ranks(), bytes, carrier);
    const std::span<const Choice> ours = std::span(set.choices()).subspan(1);
    auto place = std::ranges::find_if(ours, [&](const Choice& choice) {
        return choice.algorithm == usual.algorithm && choice.carrier == carrier;
    });
    // Left out, because another row has the same steps: none is more usual than the first then.
    if (place == ours.end()) place = std::ranges::find(ours, carrier, &Choice::carrier);
    return 1 + static_cast<std::size_t>(place - ours.begin());
}

}  // namespace

const KnownCandidates::OfSize& KnownCandidates::find(Communicator& communicator,
                                                     Collective collective, const RowFilter& rows,
                                                     std::int64_t bytes, bool predicts) {
    OfSize& size = sizes_[{collective, &rows, bytes, predicts}];
    if (size.list != nullptr) return size;
    const Foreknowledge& known = communicator.foreknowledge();
    const bool has_memory = communicator.memory().get() != nullptr;
    const OwnArithmetic own;
    size.set = candidates_of(collective, rows, communicator.shape(), has_memory);
    size.source = source_of(known.machine);
    // Where ranks share cores and hosts wait busily, who has run ahead until there is no room keeps
    // the core from those who would make some: gathers of 4 KiB on 4 ranks of Intel MPI take 2 us
    // in a few hundred calls, and tens after thousands, which no sample tells beforehand.
    // What stalls there without memory is left to the host.
    const bool may_stall = known.oversubscribed && lets_ranks_run_ahead(collective);
    const bool begins_with_host = rows.instead_of_host == nullptr;
    if (may_stall && !has_memory && begins_with_host) {
        left_to_host_.set(static_cast<std::size_t>(collective));
    }
    const std::vector<Candidate> all = size.set->candidates(
        bytes, predicts ? &known.machine : nullptr, predicts ? &known.with_memory : nullptr);
    std::vector<Candidate> list;
    const auto add = [&](std::size_t i) {
        list.push_back(all[i]);
        size.choices.push_back(&size.set->choices()[i]);
    };
    const std::size_t first = first_of(*size.set, communicator, collective, rows, bytes);
    add(first);
    for (std::size_t i = begins_with_host ? 0 : 1; i < all.size(); ++i) {
        if (i != first && !(may_stall && all[i].by_host)) add(i);
    }
    size.list = std::make_shared<const CandidateList>(std::move(list));
    return size;
}

}  // namespace tasuki::interpose
