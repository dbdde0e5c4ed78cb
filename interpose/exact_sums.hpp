// Reductions whose sums are exact and rounded once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "interpose/communicator.hpp"
#include "interpose/exact_ways.hpp"
#include "reduce/element.hpp"

namespace tasuki::interpose {

/// The exact sums of the vectors that the ranks of a communicator contribute: as
/// reduction::exact_block_sum() has them, whatever the number and the order of the ranks.
///
/// No accumulators travel, which are 550 bytes an element: schedules that move data bring all parts
/// of an element to the rank that sums them, and the sums to where they are wanted. How they do is
/// said by an ExactWay. By blocks every rank sends and receives its vector once, and the sums
/// another time, in passes (elements_of_a_pass()).
///
/// Memory: what comes together in a pass (twice as much for prefixes), or all vectors.
/// Everything throws TransportError.
class ExactSums {
  public:
    /// `way`: an ExactWay; memory carries only if the communicator has some. `input`: `count`
    /// elements that have exact sums; only read.
    ExactSums(Communicator& communicator, const Choice& way, reduction::Element element,
              const std::byte* input, std::int64_t count);

    // `output` may be the input.

    /// All sums, on every rank.
    void to_all(std::byte* output);
    /// All sums, on `root`.
    void to_root(int root, std::byte* output);
    /// Sums of the elements of block r on rank r; `counts` are elements, one behind the other.
    void to_blocks(std::span<const std::int64_t> counts, std::byte* output);
    /// Of the vectors of the first `rank() + 1` ranks.
    void prefixes(std::byte* output);
    /// Of the ranks below this one; rank 0 gets nothing.
    void prefixes_below(std::byte* output);

  private:
    class Parts;

    bool come_together() const { return way_ != ExactWay::blocks; }
    void sum(const Parts& parts, std::int64_t first, std::int64_t contributors, std::byte* result,
             std::int64_t count) const;
    void sum_prefixes(const Parts& parts, int first) const;
    template <typename Act>
    void for_each_pass(const Act& act) const;
    void to_every_or_one(std::optional<int> root, std::byte* output);
    void prefixes_of(bool includes_own, std::byte* output);

    Communicator& communicator_;
    ExactWay way_;
    Carrier carrier_;
    reduction::Element element_;
    std::int64_t element_bytes_;
    std::byte* input_;
    std::int64_t count_;
};

}  // namespace tasuki::interpose
