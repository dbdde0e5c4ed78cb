// What selection chooses from for one size.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "select/decision.hpp"
#include "select/digest.hpp"

namespace tasuki {

struct Candidate {
    std::string name;            ///< as parse_choice() reads it
    double predicted = unknown;  ///< seconds
    bool by_host = true;         ///< its messages are the host's, as those of the host's own are
};

/// Made once for all selectors of a size: a communicator that lives for a thousand short calls
/// would pay for names and digest with 1 % of them.
class CandidateList {
  public:
    /// [0] is the host's own algorithm, or what stands in for it. Throws std::invalid_argument if
    /// there is no candidate.
    explicit CandidateList(std::vector<Candidate> candidates);

    std::size_t size() const { return candidates_.size(); }
    const Candidate& operator[](std::size_t i) const { return candidates_[i]; }
    /// Of names and predictions.
    const Digest& digest() const { return digest_; }
    /// What is predicted of the best by messages of the host; unknown if nothing is.
    double shortest_by_host() const { return shortest_by_host_; }

  private:
    std::vector<Candidate> candidates_;
    Digest digest_;
    double shortest_by_host_ = unknown;
};

}  // namespace tasuki
