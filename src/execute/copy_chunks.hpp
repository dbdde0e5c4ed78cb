// Moves chunks inside one rank: the copy and reduce steps.
#pragma once

#include <cstdint>
#include <functional>

#include "schedule/program.hpp"
#include "transport/buffer.hpp"

namespace tasuki {

/// to = from op to over `bytes` contiguous bytes, or to = to op from; see Operand.
using Combine = std::function<void(const std::byte* from, Operand from_operand, std::byte* to,
                                   std::int64_t bytes)>;

/// Copies from_region of `from` to to_region of `to`: equal numbers of chunks of equal packed size,
/// in the order of the regions. Buffers with an element type are packed or unpacked.
void copy_chunks(const Buffer& from, const Region& from_region, const Buffer& to,
                 const Region& to_region);

/// Applies `combine` chunk run by chunk run. Both buffers hold contiguous bytes.
void combine_chunks(const Buffer& from, const Region& from_region, Operand from_operand,
                    const Buffer& to, const Region& to_region, const Combine& combine);

}  // namespace tasuki
