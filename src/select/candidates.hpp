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
    /// are left out. `with_memory`: each row is there twice, with its messages carried by the host
    /// and by memory.
    CandidateSet(
        std::string_view collective, const Instance& instance, bool with_memory = false,
        const MayRun& may_run = [](const Algorithm&) { return true; });

    /// [0] is "native", whose time nobody predicts. `machine` may be nullptr: then nothing is
    /// predicted; `with_memory` is the same machine where memory carries what it can.
    ///
    /// `bytes`: as in SelectionKey.
    std::vector<Candidate> candidates(std::int64_t bytes, const MachineParameters* machine,
                                      const MachineParameters* with_memory = nullptr) const;
    /// [0] is the host's own.
    const std::vector<Choice>& choices() const { return choices_; }
    /// Seconds, of choices()[i], i > 0, on a machine with its carrier.
    double seconds(std::size_t i, std::int64_t bytes, const MachineParameters& machine) const {
        const std::size_t row = (i - 1) % predictors_.size();
        const std::int64_t chunk_bytes = (bytes + chunks_[row] - 1) / chunks_[row];
        return predictors_[row].seconds(chunk_bytes, machine);
    }

  private:
    std::vector<Choice> choices_;
    std::vector<Predictor> predictors_;  // [(i - 1) % rows] for choices_[i]
    std::vector<std::int64_t> chunks_;   // the same, into which the bytes are cut, at least 1
};

}  // namespace tasuki
