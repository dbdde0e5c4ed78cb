// What the rows of reductions promise about their results, computed from symbolic runs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "algorithms/algorithm.hpp"

namespace tasuki {

/// Facts about the expression trees of one row, true of all instances that were looked at: some
/// numbers of ranks, several placements, roots and values of the parameters.
struct ReductionFacts {
    const Algorithm* algorithm = nullptr;
    /// All ranks that get the same result evaluate the same tree: bit-identical on all ranks.
    bool same_on_all_ranks = true;
    /// Every chunk of the vector has the same tree: splitting a count changes no bits.
    bool same_for_all_chunks = true;
    bool same_for_all_placements = true;
    bool same_for_all_roots = true;
    bool same_for_all_parameters = true;
    /// Operands stay in the order of ranks: right for operations that do not commute.
    bool keeps_rank_order = true;
    /// It is the canonical tree (algorithms/tree.hpp) always, or where the number of ranks is a
    /// power of two. Rows of which this is true can take each other's place, and no bit changes.
    bool canonical = true;
    bool canonical_for_powers_of_two = true;
};

/// The facts of a row whose collective reduces.
ReductionFacts reduction_facts(const Algorithm& row, std::span<const std::int32_t> ranks);

/// The facts of all rows that reduce, in the order of the table, from up to 17 ranks. It takes some
/// tenths of a second.
std::vector<ReductionFacts> all_reduction_facts();

}  // namespace tasuki
