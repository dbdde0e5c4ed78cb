// Chunks that are not equally large: a vector that does not divide, and the counts of v-forms.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "schedule/program.hpp"
#include "transport/buffer.hpp"

namespace tasuki {

/// `units` cut into `chunks` pieces that differ by one at most: what every rank makes of the same
/// arguments.
std::vector<std::int64_t> cut_evenly(std::int64_t units, std::int32_t chunks);

/// Makes heads and tails of blocks (Program::has_tails): the first `capacity` units of each, and
/// then what is left of each.
void split_into_heads_and_tails(UnevenChunks& chunks, std::int64_t capacity);

/// Where the scratch chunks of a program lie, one behind the other. `units`: by the number of a
/// size (Contract::size_of); a chunk of any_size gets the room of the largest.
UnevenChunks scratch_of(const Program& program, std::span<const std::int64_t> units);
/// The same into `chunks`, with the memory that it has.
void lay_out_scratch(const Program& program, std::span<const std::int64_t> units,
                     UnevenChunks& chunks);

}  // namespace tasuki
