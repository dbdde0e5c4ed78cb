#include "select/candidate_list.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

namespace tasuki {

CandidateList::CandidateList(std::vector<Candidate> candidates)
    : candidates_(std::move(candidates)) {
    if (candidates_.empty())
        throw std::invalid_argument("selection needs the host's own algorithm");
    for (Candidate& candidate : candidates_) {
        // Ranks on unequal processors may compute predictions whose last bits differ; they must not
        // be told apart by that.
        candidate.predicted = static_cast<double>(static_cast<float>(candidate.predicted));
        digest_.add(candidate.name).add(candidate.predicted);
        if (candidate.by_host) {
            shortest_by_host_ = std::fmin(shortest_by_host_, candidate.predicted);
        }
    }
}

}  // namespace tasuki
