#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "calls/collectives.hpp"
#include "interpose/row_filter.hpp"
#include "predict/parameter_source.hpp"
#include "select/candidate_list.hpp"
#include "select/candidates.hpp"

namespace tasuki::interpose {

class Communicator;

/// What one of ours has predicted, for all who select on it: it may serve one communicator of the
/// program's after the other (SpareCommunicator), and to predict takes as long as 50 short calls.
///
/// Memory: some hundred bytes for each candidate of each size bucket that is used.
class KnownCandidates {
  public:
    struct OfSize {
        std::shared_ptr<const CandidateSet> set;
        std::vector<const Choice*> choices;         ///< of the set, those that may run
        std::shared_ptr<const CandidateList> list;  ///< of these
        ParameterSource source{};                   ///< by which they were predicted
    };

    /// For calls of so many bytes, as SelectionKey counts them. `predicts`: with predictions. Stays
    /// where it is. Collective at the first call, as Communicator::foreknowledge() is.
    const OfSize& find(Communicator& communicator, Collective collective, const RowFilter& rows,
                       std::int64_t bytes, bool predicts);
    /// Whether calls of any size are left to the host, as find() has said: there is nothing to
    /// agree about. All ranks say the same.
    bool leaves_to_host(Collective collective) const {
        return left_to_host_[static_cast<std::size_t>(collective)];
    }

  private:
    std::bitset<collectives> left_to_host_;
    std::map<std::tuple<Collective, const RowFilter*, std::int64_t, bool>, OfSize> sizes_;
};

}  // namespace tasuki::interpose
