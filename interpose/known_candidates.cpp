#include "interpose/known_candidates.hpp"

#include <utility>
#include <vector>

#include "interpose/communicator.hpp"
#include "interpose/foreknowledge.hpp"

namespace tasuki::interpose {

const KnownCandidates::OfSize& KnownCandidates::find(Communicator& communicator,
                                                     Collective collective, const RowFilter& rows,
                                                     std::int64_t bytes, bool predicts) {
    OfSize& size = sizes_[{collective, &rows, bytes, predicts}];
    if (size.list != nullptr) return size;
    const Foreknowledge& known = communicator.foreknowledge();
    const bool has_memory = communicator.memory().get() != nullptr;
    size.set = candidates_of(collective, rows, communicator.shape(), has_memory);
    size.source = source_of(known.machine);
    size.first = rows.instead_of_host == nullptr ? 0 : 1;
    std::vector<Candidate> list = size.set->candidates(bytes, predicts ? &known.machine : nullptr,
                                                       predicts ? &known.with_memory : nullptr);
    list.erase(list.begin(), list.begin() + size.first);
    size.list = std::make_shared<const CandidateList>(std::move(list));
    return size;
}

}  // namespace tasuki::interpose
