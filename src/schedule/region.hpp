// A set of chunks of one buffer, the only way in which a schedule names data.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace tasuki {

/// The three buffers that a program works on. `input` is never written.
enum class Space : std::uint8_t { input, output, scratch };

std::string_view name_of(Space space);

/// `count` chunks of one space, in blocks of `block` neighbours whose first chunks lie `stride`
/// apart (which may be negative). The last block may be shorter. One block is a contiguous region.
///
/// With block and stride a set such as "all chunks whose digit i in base k is d", which Bruck's
/// algorithm moves in each round, has constant size whatever the number of ranks.
struct Region {
    Space space = Space::input;
    std::int32_t first = 0;
    std::int32_t count = 0;
    std::int32_t block = 0;
    std::int32_t stride = 0;

    bool is_contiguous() const { return block == count; }
    bool empty() const { return count == 0; }

    /// The chunk at position `position` of the region, 0 <= position < count.
    std::int32_t chunk(std::int32_t position) const {
        return first + (position / block) * stride + position % block;
    }

    friend bool operator==(const Region&, const Region&) = default;
};

/// Chunks first, first + 1, ..., first + count - 1.
constexpr Region chunks(Space space, std::int32_t first, std::int32_t count) {
    return {space, first, count, count, count};
}
constexpr Region input(std::int32_t first, std::int32_t count = 1) {
    return chunks(Space::input, first, count);
}
constexpr Region output(std::int32_t first, std::int32_t count = 1) {
    return chunks(Space::output, first, count);
}
constexpr Region scratch(std::int32_t first, std::int32_t count = 1) {
    return chunks(Space::scratch, first, count);
}

/// The lowest and the highest chunk of a region that is not empty, whatever its fields are: what
/// may be asked before it is known that the region lies inside its buffer.
struct Extent {
    std::int64_t low;
    std::int64_t high;
};
constexpr Extent extent_of(const Region& region) {
    // Nearly all regions are one block, and divisions are half of what a step costs to make.
    if (region.count <= region.block) {
        return {region.first, std::int64_t{region.first} + region.count - 1};
    }
    const std::int64_t last_block = (std::int64_t{region.count} - 1) / region.block;
    const std::int64_t last_first = region.first + last_block * region.stride;
    const std::int64_t last_high = last_first + (std::int64_t{region.count} - 1) % region.block;
    // The last block may be shorter, so the one before it can reach further.
    const std::int64_t full_high =
        std::max<std::int64_t>(region.first, last_first - region.stride) + region.block - 1;
    return {std::min<std::int64_t>(region.first, last_first), std::max(full_high, last_high)};
}

/// No data: what a message carries that only tells that its sender has come so far.
constexpr Region nothing() {
    return chunks(Space::input, 0, 0);
}

/// `count` chunks from `first` on, in blocks of `block` every `stride` chunks.
constexpr Region strided(Space space, std::int32_t first, std::int32_t count, std::int32_t block,
                         std::int32_t stride) {
    return count <= block ? chunks(space, first, count)
                          : Region{space, first, count, block, stride};
}

}  // namespace tasuki
