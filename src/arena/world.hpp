// One key of a described machine: what each candidate truly takes, and what measuring shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "arena/described_machine.hpp"
#include "arena/random.hpp"
#include "select/candidates.hpp"

namespace tasuki {

/// How far the described machine is from its description.
struct Noise {
    double model_error = 0.2;          ///< of a candidate against its prediction (log, normal) ...
    double model_error_size = 0.1;     ///< ... and the part of it that changes from size to size
    double parameter_error = 0.05;     ///< of the measured parameters (log, normal)
    double call = 0.04;                ///< of one call (log, normal)
    double skew = 0.02;                ///< mean lateness of a rank, as a share of the call
    double jitter = 0.01;              ///< mean delay of a rank after its last message, likewise
    double slow_rank_chance = 1e-3;    ///< of a call in which some rank is slow ...
    double slow_rank_seconds = 10e-3;  ///< ... by so much
    /// What the ranks agree a call took: the mean of their timings, or the maximum.
    bool mean_over_ranks = true;
};

class World {
  public:
    World(const DescribedMachine& machine, const CandidateSet& set, std::int64_t bytes,
          const Noise& noise, std::uint64_t seed);

    const std::vector<Candidate>& candidates() const { return candidates_; }
    double true_seconds(std::uint32_t candidate) const { return true_seconds_[candidate]; }
    /// The candidate that truly takes least.
    std::uint32_t best() const;
    double best_seconds() const { return true_seconds_[best()]; }
    /// An agreement is an all-reduce of so many numbers.
    double agreement_seconds(std::size_t numbers) const;

    /// What the ranks agree a call took.
    double measure(std::uint32_t candidate);

    /// From now on `candidate` takes `factor` times as long.
    void slow_down(std::uint32_t candidate, double factor) { true_seconds_[candidate] *= factor; }
    /// From now on everything does.
    void slow_down(double factor);

  private:
    Noise noise_;
    double ranks_;
    LinkParameters slowest_link_;
    std::vector<Candidate> candidates_;
    std::vector<double> true_seconds_;
    Random random_;
};

}  // namespace tasuki
