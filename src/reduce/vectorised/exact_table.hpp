// The loops of exact sums for one instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "reduce/instruction_set.hpp"

namespace tasuki::reduction {

/// Doubles are cut at fixed places into slices that fit sums of many, as in extract.hpp.
inline constexpr int most_slices = 4;
/// Additions to one lane of a slice. The anchors leave room for them.
inline constexpr int lane_additions_log2 = 10;

/// What a block of values is, exactly, if it could be cut into slices.
struct Extraction {
    /// [slice][parity of the element] in units of the slice's anchor's last digit
    std::int64_t units[most_slices][2];
    double greatest;       ///< greatest magnitude among the values that are numbers
    bool has_remainder;    ///< something lies below the last slice: more slices are needed
    bool is_out_of_reach;  ///< NaN, infinities, or products that are not exact in two doubles
};

/// Cuts `count` values, at most block_values(), into slices. anchors[slice] is 1.5 times a power of
/// two; with two sources (products) the second one is `others`.
using Extract = void(const std::byte* values, const std::byte* others, std::size_t count,
                     const double* anchors, Extraction& extraction);

/// Sums one element, number `index` of each contributor, and writes it to `result`.
using SumElement = void(const std::byte* const* contributors, std::size_t number, std::size_t index,
                        std::byte* result);

/// result[i] = the exact sum of contributors[0..number)[i], rounded once; at least two
/// contributors. `result` may be one of them. What it cannot do by itself it leaves to
/// `sum_element`.
using BlockSum = void(const std::byte* const* contributors, std::size_t number, std::size_t count,
                      std::byte* result, SumElement* sum_element);

/// results[k][i] = the exact sum of contributors[0..k][i]; at least one contributor. Results
/// overlap no contributor.
using BlockPrefixes = void(const std::byte* const* contributors, std::size_t number,
                           std::size_t count, std::byte* const* results, SumElement* sum_element);

/// result[i] = left[i] + right[i], a NaN as the canonical one. `result` may be one of the two.
using PairSum = void(const std::byte* left, const std::byte* right, std::size_t count,
                     std::byte* result);

/// result[i] = term[i], a NaN as the canonical one. `result` may be the term: then it is read, and
/// only written if there is some.
using LoneSum = void(const std::byte* term, std::size_t count, std::byte* result);

/// For one type of numbers.
struct BlockLoops {
    BlockSum* sum;
    BlockPrefixes* prefixes;
    PairSum* pair;
    LoneSum* lone;
};

struct ExactTable {
    std::size_t block_values;        ///< most values of one extraction
    Extract* doubles[most_slices];   ///< [slices - 1], from two slices on
    Extract* floats[most_slices];    ///< the same
    Extract* products[most_slices];  ///< of doubles; nullptr without multiply-add
    BlockLoops block_doubles;
    BlockLoops block_floats;
};

extern const ExactTable baseline_exact;
#ifdef __x86_64__
extern const ExactTable avx2_exact;
extern const ExactTable avx512_exact;
#endif

/// The loops for an instruction set, which the processor must have.
const ExactTable& exact_table(InstructionSet instruction_set);

}  // namespace tasuki::reduction
