// Adding whole arrays to exact sums at the speed of memory.
#pragma once

#include <cstddef>
#include <span>

#include "reduce/exact_sum.hpp"
#include "reduce/instruction_set.hpp"
#include "reduce/vectorised/exact_table.hpp"

namespace tasuki::reduction {

/// Adds elements of even number to one sum, of odd number to another (which may be the same).
///
/// Blocks of values are cut into slices (vectorised/extract.hpp) that lie where the last block had
/// its values; where that does not fit, the block is cut again or added term by term. What comes
/// out is exact either way.
class BlockwiseSum {
  public:
    BlockwiseSum(ExactSum& even, ExactSum& odd,
                 InstructionSet instruction_set = best_instruction_set());

    void add(std::span<const double> values);
    void add(std::span<const float> values);
    void add_products(std::span<const double> left, std::span<const double> right);

  private:
    /// Where the slices of a block lie.
    struct Window {
        int exponent = 0;  ///< all magnitudes are less than 2^(exponent + 1)
        int slices = 2;
    };
    template <typename Terms>
    void add_all(const Terms& terms, std::size_t count);
    template <typename Terms>
    bool add_block(const Terms& terms, std::size_t first, std::size_t count);
    template <typename Terms>
    void add_one_by_one(const Terms& terms, std::size_t first, std::size_t count);
    template <typename Terms>
    void add_units(const Terms& terms, std::size_t first, std::size_t count,
                   const Extraction& extraction, const double* anchors);
    template <typename Terms>
    void note_zeros(const Terms& terms, std::size_t first, std::size_t end);

    ExactSum& even_;
    ExactSum& odd_;
    const ExactTable& table_;
    Window window_;
};

}  // namespace tasuki::reduction
