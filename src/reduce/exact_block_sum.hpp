// The exact sum of what several contributors give for each element.
#pragma once

#include <cstddef>

#include "reduce/element.hpp"
#include "reduce/instruction_set.hpp"

namespace tasuki::reduction {

/// Whether there are exact sums of such elements: float, double and the complex types of them.
constexpr bool has_exact_sum(Element element) {
    return element == Element::float32 || element == Element::float64 ||
           element == Element::complex32 || element == Element::complex64;
}

/// result[i] = contributors[0][i] + ... + contributors[number - 1][i], summed exactly and rounded
/// once, for `count` elements that have an exact sum. NaN, infinities, zeros and overflow are as in
/// ExactSum. There is at least one contributor; `result` may be one of them, and otherwise
/// overlaps none.
///
/// Takes some 1.5 cycles for each number of each contributor; of two contributors what an addition
/// that rounds takes, of one in place a look for NaNs. Elements of more whose contributions differ
/// by more than about 2^50 in size take 100 ns and 2 ns for each contributor.
void exact_block_sum(Element element, const std::byte* const* contributors, std::size_t number,
                     std::byte* result, std::size_t count,
                     InstructionSet instruction_set = best_instruction_set());

/// results[k][i] = contributors[0][i] + ... + contributors[k][i], each as exact_block_sum() has it,
/// in little more time than the last of them. Results overlap no contributor.
void exact_block_prefixes(Element element, const std::byte* const* contributors, std::size_t number,
                          std::byte* const* results, std::size_t count,
                          InstructionSet instruction_set = best_instruction_set());

}  // namespace tasuki::reduction
