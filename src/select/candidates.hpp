// The candidates for an instance of a collective, with their predictions.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "predict/machine_parameters.hpp"
#include "predict/predictor.hpp"
#include "select/selector.hpp"

namespace tasuki {

/// The host's own algorithm and every row whose domain the instance is in. Predictors are made once
/// and serve all sizes.
class CandidateSet {
  public:
    using MayRun = std::function<bool(const Algorithm& row)>;

    /// `instance.parameters` are ignored: each row gets its defaults. Rows that `may_run` refuses
    /// are left out.
    CandidateSet(
        std::string_view collective, const Instance& instance,
        const MayRun& may_run = [](const Algorithm&) { return true; });

    /// [0] is "native", whose time nobody predicts. `machine` may be nullptr: then nothing is
    /// predicted.
    ///
    /// `bytes`: as in SelectionKey.
    std::vector<Candidate> candidates(std::int64_t bytes, const MachineParameters* machine) const;
    /// [0] is the host's own.
    const std::vector<Choice>& choices() const { return choices_; }
    /// Seconds, of choices()[i], i > 0.
    double seconds(std::size_t i, std::int64_t bytes, const MachineParameters& machine) const {
        const std::int64_t chunk_bytes = (bytes + chunks_[i - 1] - 1) / chunks_[i - 1];
        return predictors_[i - 1].seconds(chunk_bytes, machine);
    }

  private:
    std::vector<Choice> choices_;
    std::vector<Predictor> predictors_;  // [i - 1] for choices_[i]
    std::vector<std::int64_t> chunks_;   // [i - 1] into which the bytes are cut, at least 1
};

}  // namespace tasuki
