// Moves chunks inside one rank: the copy and reduce steps.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>

#include "schedule/program.hpp"
#include "transport/buffer.hpp"

namespace tasuki {

/// to = from op to over `bytes` contiguous bytes, or to = to op from; see Operand.
using Combine = std::function<void(const std::byte* from, Operand from_operand, std::byte* to,
                                   std::int64_t bytes)>;

/// copy_chunks() for everything but one run of bytes.
void copy_scattered_chunks(const Buffer& from, const Region& from_region, const Buffer& to,
                           const Region& to_region);

/// Copies from_region of `from` to to_region of `to`: equal numbers of chunks of equal packed size,
/// in the order of the regions; where one of two chunks can hold any, as much as the other has.
/// Buffers with an element type are packed or unpacked.
inline void copy_chunks(const Buffer& from, const Region& from_region, const Buffer& to,
                        const Region& to_region) {
    if (from.type == nullptr && to.type == nullptr && from_region.is_contiguous() &&
        to_region.is_contiguous() && !from_region.empty() && from.chunk_bytes != 0 &&
        from.uneven == nullptr && to.uneven == nullptr) {
        std::memcpy(to.address(to_region.first), from.address(from_region.first),
                    static_cast<std::size_t>(from.bytes(from_region.count)));
    } else {
        copy_scattered_chunks(from, from_region, to, to_region);
    }
}

/// Applies `combine` chunk run by chunk run, to chunks of equal size. Both buffers hold contiguous
/// bytes.
void combine_chunks(const Buffer& from, const Region& from_region, Operand from_operand,
                    const Buffer& to, const Region& to_region, const Combine& combine);

}  // namespace tasuki
