// Prediction that is cheap enough for use inside a run.
#pragma once

#include <cstdint>
#include <memory>

#include "algorithms/algorithm.hpp"
#include "predict/machine_parameters.hpp"
#include "predict/walk.hpp"

namespace tasuki {

/// Predicts one algorithm on one instance for any number of sizes and machines. Every rank that is
/// told the same arguments gets the same bits.
///
/// Cost: about that of building the program of one rank (or of the ranks of one node, where they
/// differ), when it is made and again for each size; never that of all ranks. Where that cannot be
/// exact it follows one rank as if the others met the same kinds of pairs, or, on instances without
/// symmetry, predicts the nearest even one and scales by the number of ranks.
class Predictor {
  public:
    /// The instance must be in the domain of the algorithm.
    Predictor(const Algorithm& algorithm, const Instance& instance);

    double seconds(std::int64_t chunk_bytes, const MachineParameters& machine) const;

    /// Whether this is what the walk of all ranks gives (up to copies that differ between ranks).
    bool exact() const { return exact_; }

  private:
    std::unique_ptr<const Walk> walk_;
    bool exact_ = true;
    double scale_ = 1;
};

}  // namespace tasuki
