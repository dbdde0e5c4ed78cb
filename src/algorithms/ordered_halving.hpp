// Rabenseifner's reductions: the vector is halved with every exchange.
#pragma once

#include <vector>

#include "algorithms/pair_fold.hpp"
#include "algorithms/partial.hpp"

namespace tasuki {

/// Reduces a vector of fold.cube() chunks so that every participant has one of them, and brings
/// them together again. Neighbours exchange first, so that the order of ranks is kept; which chunk
/// a participant ends with is its number with the bits reversed.
class OrderedHalving {
  public:
    /// Sums are kept in `sums`, all chunks of the output or of scratch.
    OrderedHalving(ProgramBuilder& program, const PairFold& fold, std::int32_t rank,
                   const Region& sums);

    /// The reduction, begun with what the other of a pair sends. Only for participants.
    void reduce_scatter();
    /// Every participant gets all chunks.
    void allgather();
    /// The participant `number` gets all chunks.
    void gather(std::int32_t number);

    /// When the sums that the rank has are complete.
    const std::vector<StepId>& ready() const { return ready_; }

  private:
    /// A run of chunks.
    struct Share {
        std::int32_t first;
        std::int32_t count;
    };
    struct Exchange {
        std::int32_t partner;  // rank
        Share kept;
        Share sent;
        std::vector<StepId> sends;  // that read the sent share of the sums
    };

    Region sums(Share share) const;
    void take_over();
    void exchange(std::int32_t bit);
    /// Receives what the partner of an exchange has kept.
    void receive_sent(const Exchange& exchange);

    ProgramBuilder& program_;
    const PairFold& fold_;
    std::int32_t rank_;
    std::int32_t number_;
    Region sums_;
    bool has_sums_ = false;  // otherwise the sum is the own input
    Share held_;
    std::vector<StepId> ready_;
    std::vector<Exchange> exchanges_;
};

}  // namespace tasuki
