// Prediction that is cheap enough for use inside a run.
#pragma once

#include <cstdint>
#include <vector>

#include "algorithms/algorithm.hpp"
#include "predict/machine_parameters.hpp"
#include "predict/walk.hpp"

namespace tasuki {

/// Predicts one algorithm on one instance for any number of sizes and machines. Every rank that is
/// told the same arguments gets the same bits.
///
/// Cost: about a millisecond at most, when it is made and again for each size, whatever the number
/// of ranks. It walks the ranks of one node where these stand for all. Where they do not, or their
/// programs are long, it walks one rank as if all were in step, or smaller instances of the same
/// shape, from which it goes on in a straight line.
class Predictor {
  public:
    /// The instance must be in the domain of the algorithm.
    Predictor(const Algorithm& algorithm, const Instance& instance);

    double seconds(std::int64_t chunk_bytes, const MachineParameters& machine) const;

    /// Whether this is what the walk of all ranks gives, up to copies that differ between ranks.
    bool exact() const { return exact_; }

  private:
    struct Sample {
        std::int32_t ranks;
        Walk walk;
    };

    std::int32_t ranks_;
    std::vector<Sample> samples_;  // of the instance itself, or of up to two smaller ones
    bool exact_ = false;
};

}  // namespace tasuki
